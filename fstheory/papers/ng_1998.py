"""Ng (1998): bounds on the error after selection with samples held out; statements about samples, not distributions."""

from __future__ import annotations

from fstheory.papers.entry import Declarations, Paper

__all__ = [
    "NG_1998",
]
NG_1998 = Paper(
    "Ng",
    "A. Y. Ng",
    "On feature selection: learning with exponentially many irrelevant features as training examples",
    1998,
    "ng_1998.json",
)

paper = Declarations(NG_1998)

paper.entry("N-0", "Section 2.2")(r"""
Linear discriminants over r inputs have the VC dimension r + 1; where r > 0 the bounds may be written with r instead.
$$r_{VC} = r + 1 \le 2 r$$
For r up to m this takes constants larger by the root of 2 at most.
""")

paper.entry("N-1", "Theorem 1")(r"""
Without selection the error is bounded by the least one over all features plus an estimation term, with one constant
for all m and f.
$$\varepsilon(\hat h) \le \varepsilon_g(f) + C(\delta) \sqrt{\tfrac{f_{VC}}{m}} \big(\log \tfrac{m}{f_{VC}} + 1\big)$$
For m < f_VC/e the last factor is negative, so that the bound is below the least error there is; with the whole factor
under the root, as the proof of Theorem 3 suggests, it is no real number there, and next to 0 just above. As m grows it
is true for each f; but the paper lets f grow.
""")

paper.entry("N-1m", "Theorem 1", corrects="N-1")(r"""
For majority tables Theorem 1 holds as printed if m is at least rho f_VC: for every rho above 1/e, and for no other.
$$m \ge \rho f_{VC} \Rightarrow C(\delta) (1 + \log \rho) = \sqrt{2 (\log k + \log \tfrac1\delta)}, \text{ for } k
\text{ classes}$$
The VC dimension of the tables over N states, for two classes, is N. The factor with the logarithm is not needed.
""")

paper.entry("N-1r", "Theorem 1", corrects="N-1")(r"""
The risk of the majority table over all features, which have N states, is bounded for every m, with every constant.
$$P\Big(R(\hat h) \le R(X) + \sqrt{\tfrac{2 (N \log k + \log (1/\delta))}{m}}\Big) \ge 1 - \delta$$
""")

paper.entry("N-n", "after Theorem 1")(r"""
With labels flipped at a rate eta the same bounds hold for the error without noise, with (1 - 2 eta)**2 m in place of m
in every denominator.
$$\varepsilon(h) - \varepsilon_g = \frac{R(h) - \eta - (R_g - \eta)}{1 - 2\eta}$$
Said after each of the three theorems. Of the corrected bounds it is true, and needs no proof but this.
""")

paper.entry("N-2", "Theorem 2")(r"""
The error that STANDARD-WRAP ends with is bounded by the best size, with one constant for all m and f.
$$\varepsilon(\hat h) \le \min_{0 \le r \le f} \Big\{\varepsilon_g(r) + C \sqrt{\tfrac{r_{VC}}{(1 - \gamma) m}}
\big(\log \tfrac{m}{r_{VC}} + 1\big)\Big\} + C \sqrt{\tfrac{f}{\gamma m}}$$
The minimum takes in sizes r with r_VC > e m, where the term is negative: for many features the bound is below 0. For
gamma = 0 and 1, which are allowed, there is no bound. The conjecture that f may be f to the power alpha for many
learners is not precise enough to be entered.
""")

paper.entry("N-2r", "Theorem 2", corrects="N-2")(r"""
The risk that STANDARD-WRAP ends with is bounded by the best subset, for every m, with every constant.
$$P\Big(R(\hat h) \le \min_F \Big\{R(F) + \sqrt{\tfrac{2 (N_F \log k + \log(1/\delta_1))}{m_1}}\Big\} +
\sqrt{\tfrac{2 \log((2^f - 1)/\delta_2)}{m_2}}\Big) \ge 1 - \delta_1 - \delta_2$$
With m_1 samples to train on, m_2 held out, N_F states of the features F. Any rule for ties.
""")

paper.entry("N-2d", "Section 3", corrects="N-2")(r"""
With halves of the samples, and of delta, those held out cost more than those to train on exactly if f is large enough.
$$2^f - 1 > k^{N_F}, \text{ whatever } m$$
The paper says of the printed bound that its last term is the dominant one if f is much larger than r_VC. As m grows
the logarithm outgrows it, whatever the constants.
""")

paper.entry("N-3", "Theorem 3")(r"""
The error that ORDERED-FS ends with is bounded by the best size, with one constant for all m and f.
$$\varepsilon(\hat h) \le \min_{0 \le r \le f} \Big\{\varepsilon_g(r) + C \sqrt{\tfrac{r_{VC}}{(1 - \gamma) m}}
\big(\log \tfrac{m}{r_{VC}} + 1\big) + C \sqrt{\tfrac{r \log f}{(1 - \gamma) m}}\Big\}
+ C \sqrt{\tfrac{\log f}{\gamma m}}$$
Two faults. The minimum takes in sizes with r_VC > e m, as in Theorem 2: for linear discriminants these are there as
soon as f > e m, the case that the title is about. And for f = 1, where two hypotheses are compared, log f = 0 leaves no
trace of the samples held out: the log(1/delta) that the constant is to hide is added to log f, not multiplied.
""")

paper.entry("N-3b", "proof of Theorem 3")(r"""
The number of subsets of a size is at most a power of f.
$$\log \tbinom{f}{r} \le r \log f$$
""")

paper.entry("N-3r", "Theorem 3", corrects="N-3")(r"""
The risk that ORDERED-FS ends with is bounded by the best size, for every m, with every constant.
$$P\Big(R(\hat h) \le \min_r \Big\{R(r) +
\sqrt{\tfrac{2 (N_r \log k + \log \binom{f}{r} + \log(1/\delta_1))}{m_1}}\Big\}
+ \sqrt{\tfrac{2 (\log f + \log(1/\delta_2))}{m_2}}\Big) \ge 1 - \delta_1 - \delta_2$$
With R(r) the least risk over r features and N_r the largest number of states of r features. Any rule for ties.
""")

paper.entry("N-4", "end of Section 3")(r"""
To come within a fixed distance of the best over r* features, these many samples are enough.
$$O(f_{VC}), \quad O(r^*_{VC} + f^\alpha) \text{ with } \alpha \le 1, \quad O(r^*_{VC} + r^* \log f)$$
The third is false for r* = 0: what choosing among f + 1 hypotheses costs was left out. It does not follow from
Theorem 3, and there is a class of hypotheses for which no number of samples is enough for all f.
""")

paper.entry("N-4r", "end of Section 3", corrects="N-4")(r"""
For majority tables over states of N, N* of r* features, these many samples are enough, with constants that depend on
the distance, on delta, on the share held out and on the number of classes.
$$O(N), \quad O(N^* + f), \quad O(N^* + (r^* + 1) \log f) \text{ for } f \ge 2$$
""")

paper.entry("N-4w", "end of Section 3")(r"""
If r* is much smaller than f, STANDARD-WRAP needs significantly fewer samples than no selection.
$$r^* \ll f \Rightarrow r^*_{VC} + f^\alpha \ll f_{VC}, \text{ particularly if } r_{VC} \text{ grows faster than } r$$
If it does not, as for the linear discriminants of the experiments, alpha must be below 1; for these it is 1.
""")

paper.entry("N-4x", "end of Section 3", corrects="N-4w")(r"""
For tables over f fair bits, where the class is one of them or its opposite, no selection needs exponentially many
samples and STANDARD-WRAP does not.
$$m^* \ge (\tfrac12 - \epsilon)\, 2^f, \quad m^* = O(f)$$
""")

paper.entry("N-4a", "end of Section 3", printed=False)(r"""
ORDERED-FS never has a larger expected risk than STANDARD-WRAP on the same samples, with the same ones held out.
$$E\,R(\hat h_{\mathrm{ordered}}) \le E\,R(\hat h_{\mathrm{wrap}})$$
Not printed: the bounds are ordered like that, and the paper calls its advantage likely if r* is small. With one feature
the two are the same method; with two, and two samples, the fewest there can be, it is false.
""")

paper.entry("N-4b", "end of Section 3", printed=False)(r"""
Selecting on samples held out never has a larger expected risk than the table over all features and all samples.
$$E\,R(\hat h_{\mathrm{wrap}}) \le E\,R(\hat h_{\mathrm{all}})$$
Not printed: the paper says it of r* much smaller than f. It is false from one feature and two samples on.
""")

paper.entry("N-5", "Section 3")(r"""
For fixed r* the samples that ORDERED-FS needs grow with the logarithm of the number of features; to square that number
takes at most twice as many.
$$m^*(f) = O(\log f), \quad m^*(f^2) \le 2\, m^*(f)$$
True of the number that the corrected bound asks for. What is needed may more than double: in N-5s with eta = 3/10, for
the probability 3/5, it is 75 for a thousand features and 159 for a million.
""")

paper.entry("N-5s", "Section 3", corrects="N-5")(r"""
One of f fair bits is the class, but for flips with probability eta. Of the f rules "the class is this feature" take one
with the fewest training errors, by lot if there are several. It is the right one, with any probability, from about
log f over the capacity of the binary symmetric channel on, and for no smaller m.
$$\lim_{f \to \infty} \frac{m^*(f)}{\log_2 f} = \frac{1}{1 - h_2(\eta)}, \quad h_2(\eta) = -\eta \log_2 \eta -
(1 - \eta) \log_2 (1 - \eta)$$
So it is if ties are lost; if they are always won, no sample is needed.
""")

paper.entry("N-6", "Sections 2.2 and 5")(r"""
A search, or a learner, that comes within a margin of the least error adds it to the bound: to that of STANDARD-WRAP for
the error on samples held out, inside the minimum of ORDERED-FS for the training error.
$$\hat\varepsilon(\hat h) \le \min_F \hat\varepsilon(h_F) + \varepsilon_+$$
The proof is left out. True of the corrected bounds; in the error without noise, the margin is divided by 1 - 2 eta.
""")

paper.entry("N-7", "Section 4")(r"""
Beam search should be a strict improvement on forward search.
$$\hat\varepsilon(\text{best of a beam}) < \hat\varepsilon(\text{forward search})$$
It may be no improvement, and it may be worse: of 4 features a beam of 2, of 12 one of 50, as in the paper.
""")

paper.entry("N-7r", "Section 4", corrects="N-7")(r"""
By whatever criterion, a beam is no worse than forward search up to two features, and beyond if what that is at is kept.
$$\hat\varepsilon(\text{best of a beam}) \le \hat\varepsilon(\text{forward search}), \text{ ties resolved alike}$$
""")

paper.entry("N-8", "Section 4")(r"""
No interactions complicate the search: on the distribution itself forward search takes the relevant features first.
$$\min_h \varepsilon(h) = \tfrac1\pi \arccos \sqrt{k/3}, \text{ over } k \text{ of three relevant features}$$
True of both targets, but not because the features are independent, as is said: so they are in an exclusive or.
""")

paper.entry("N-9", "Section 5")(r"""
Throwing away some of the hypotheses, drawn at random, may make the error of STANDARD-WRAP smaller.
$$E\,R(\hat h_{\text{3 of 4 subsets}}) = \tfrac{41}{96} < E\,R(\hat h_{\mathrm{wrap}}) = \tfrac{55}{128}$$
""")

paper.entry("N-F", "Figures 1 to 5")(r"""
In the experiments ORDERED-FS has a smaller error than STANDARD-WRAP, which for many features is better with half of the
samples held out than with 3/10; and no selection is not competitive.
$$\text{logistic regression, } f \text{ Gaussian inputs, } \eta = 0.3$$
An experiment on 200 draws each, of which the paper leaves parameters out: nothing to prove. Run again (last chapter of
the textbook), the first is so by over three standard errors with one relevant feature of ten or more and 100 samples or
more; with three it is clear at 200 samples; at 20 no difference shows. On two bits, exactly, STANDARD-WRAP is better up
to 40 samples, as Section 5 expects if r is about f/2.
""")
