// Boxes glide to where they belong, unless whoever looks has asked for less motion.

export const calm = () => !globalThis.matchMedia || matchMedia("(prefers-reduced-motion: reduce)").matches;

const where = ({ x, y, u, v }) => ({ x, y, u, v });

export class Motion {
  constructor() { Object.assign(this, { now: new Map(), goal: new Map(), put: () => {}, running: 0, last: 0 }); }

  // Move to other places, from those that are shown; what appears anew stands still.
  to(goal, put) {
    const first = !this.now.size || calm();
    this.now = new Map([...goal].map(([mask, place]) =>
      [mask, { ...place, ...(first ? {} : where(this.now.get(mask) ?? place)) }]));
    Object.assign(this, { goal, put });
    this.show();
    if (this.running || first) return;
    this.last = performance.now();
    this.running = requestAnimationFrame((time) => this.step(time));
  }

  show() { if (this.now.size) this.put(this.now); }

  // A part of the way that does not depend on how many pictures a second are shown.
  step(time) {
    const part = 1 - Math.exp(-Math.max(0, time - this.last) / 110);
    let far = 0;
    for (const [mask, place] of this.now) {
      const goal = this.goal.get(mask);
      for (const key of ["x", "y", "u", "v"]) {
        const gap = goal[key] - place[key];
        place[key] = Math.abs(gap) < 0.3 ? goal[key] : place[key] + part * gap;
        far = Math.max(far, Math.abs(goal[key] - place[key]));
      }
    }
    this.last = time;
    this.show();
    this.running = far ? requestAnimationFrame((next) => this.step(next)) : 0;
  }
}
