// The widgets of the lessons, on pages without a kernel: what a notebook kept of each is the data and the front end,
// which computes with whole numbers itself. Only what the kernel would answer is missing. (No module: a browser
// loads none for a page from a folder.)
addEventListener("DOMContentLoaded", () => {
  const scripts = (type) => [...document.querySelectorAll(`script[type="application/vnd.jupyter.widget-${type}+json"]`)];
  const kept = Object.assign({}, ...scripts("state").map((script) => JSON.parse(script.textContent).state));
  const modules = new Map();

  const front = (program) => {
    if (!modules.has(program)) {
      modules.set(program, import(URL.createObjectURL(new Blob([program], { type: "text/javascript" }))));
    }
    return modules.get(program);
  };

  for (const script of scripts("view")) {
    const { _esm: program, _css: style, data, family } = kept[JSON.parse(script.textContent).model_id]?.state ?? {};
    if (!program) continue;
    if (!document.getElementById("widget-style")) {
      document.head.append(Object.assign(document.createElement("style"), { id: "widget-style", textContent: style }));
    }
    const place = document.createElement("div");
    script.after(place);
    front(program).then(({ mount }) => mount(place, { ...data, family }));
  }
});
