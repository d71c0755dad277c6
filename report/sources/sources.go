// Package sources says how each kind of number is made, by which formula and after whom.
//
// A formula with its source is a line of a list below; its last field says what it explains.
package sources

import (
	"regexp"
	"slices"
	"strings"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	ownReviewed = "own derivation, unpublished, internally reviewed"
	ownShort    = "own"
)

// MethodFacts are what a report has to know of a method that answers a test.
type MethodFacts struct {
	words   string // its name for a reader
	Own     bool   // it gives a p of its own, of which 1 is an answer, and corrects none
	Request bool   // it is given only where it was asked for
	Fixed   bool   // it is valid only if the allocation had been fixed in advance
}

// methodsFacts returns the facts of methods, by their names.
func methodsFacts() map[string]MethodFacts {
	return map[string]MethodFacts{
		schemas.MethodNaive:       {words: "naive p", Own: true, Fixed: true},
		schemas.MethodCorrected:   {words: "corrected p"},
		schemas.MethodPaper:       {words: "the published route (Theorem 20)"},
		schemas.MethodSequence:    {words: "confidence sequence (normal mixture)", Own: true},
		schemas.MethodAnyTime:     {words: "wagers on rewards (any-time)", Own: true},
		schemas.MethodRerun:       {words: "the policy run again (rerun)", Own: true},
		schemas.MethodAssignment:  {words: "wagers on the arm, given the reward (assignment)", Own: true},
		schemas.EstimatorSqrt:     {words: "weighted estimate (aipw-sqrt)", Own: true},
		schemas.EstimatorAIPW:     {words: "weighted estimate (aipw)", Own: true},
		schemas.MethodBatchExact:  {words: "each batch given its margins (batch-exact)", Own: true},
		schemas.MethodBOLS:        {words: "each batch standardised by itself (bols, approximate)", Own: true},
		schemas.MethodConditional: {words: "corrected by σ"},
		schemas.MethodMoments:     {words: "corrected by moments"},
		schemas.MethodRecursion:   {words: "corrected by recursion"},
		schemas.MethodAnyLaw:      {words: "corrected for any law"},
		schemas.MethodZCDP:        {words: "by ρ of zero-concentrated privacy", Request: true},
		schemas.MethodDelta:       {words: "by ε and δ", Request: true},
	}
}

// FactsOf returns the facts of a method.
func FactsOf(name string) MethodFacts { return methodsFacts()[name] }

// MethodWords are the names of methods for a reader, by the names that results have.
func MethodWords() map[string]string {
	out := map[string]string{}
	for name, facts := range methodsFacts() {
		out[name] = facts.words
	}
	return out
}

// Source is how a kind of number is made, and after whom. It is shown where the results hold
// one of where, always where that is empty.
type Source struct {
	Number, How, After string
	where              []string
	Of                 []string // what it explains, such as method:any-time, check:H05 or number:sigma
}

// All are how all kinds of numbers are made by the protocol that results hold. An
// error is returned when r is nil or its protocol is not one.
func All(r *digest.Digest) ([]Source, error) {
	p, err := digest.ReadProtocol(r)
	if err != nil {
		return nil, err
	}
	out := allSources(&p)
	for i := range out {
		m := &out[i]
		for _, what := range m.where {
			if _, method := methodsFacts()[what]; method {
				m.Of = append(m.Of, "method:"+what)
			}
		}
		for _, check := range checkID.FindAllString(m.Number, -1) {
			m.Of = append(m.Of, "check:"+check)
		}
	}
	return out, nil
}

// checkID is the name of a check.
var checkID = regexp.MustCompile(`H[0-9]{2}`)

// allSources are how all kinds of numbers are made.
func allSources(p *digest.Protocol) []Source {
	return slices.Concat(ledgerSources(), correctionSources(p), estimateSources(p), testSources())
}

// MethodName says a method in words; one without words is named as it is.
func MethodName(name string) string {
	if words := FactsOf(name).words; words != "" {
		return words
	}
	return page.Label(name)
}

// Section adds how each kind of number is made, and from which source.
func Section(b *page.Builder, r *digest.Digest, p *digest.Protocol) {
	b.Heading(2, "Method and sources", "")
	b.Opening("How is each kind of number made, and after whom?",
		"the formula of each; banditaudit explain NAME has its conditions", "Own: "+ownReviewed)
	t := page.Table{RowHead: true, Columns: []page.Column{{Title: "Number"}, {Title: "How it is made"}, {Title: "Source"}}}
	for _, m := range allSources(p) {
		if len(m.where) == 0 || slices.ContainsFunc(m.where, func(what string) bool {
			return r.Holds(what) || what == otherTests && r.Holds(digest.SeenWords) && !onlyExact(p)
		}) {
			t.Rows.Add("", page.Text(m.Number), page.Text(formula(m.How)), page.Text(strings.ReplaceAll(m.After, ownReviewed, ownShort)))
		}
	}
	b.Add(t)
}

// otherTests stands for raw tests of which one is not exact.
const otherTests = "raw tests that are not exact"

// onlyExact reports whether every declared test is the exact one.
func onlyExact(p *digest.Protocol) bool {
	return !slices.ContainsFunc(p.Analysis.Tests, func(t schemas.TestSpec) bool { return t.Test != "exact" })
}

// formula is the first sentence of how a number is made.
func formula(how string) string {
	first, _, _ := strings.Cut(how, ". ")
	return page.Sentence(first)
}

func ledgerSources() []Source {
	return []Source{
		{"Replay", "The declared policy chooses on the logged history of every round, and goes on with the logged action.", "Neel and Roth 2018, arXiv:1806.02329", nil, []string{"claim:policy.conformance", "number:matched"}},
		{"Actions by released values", "A policy that draws is held to the probabilities p recomputed from what it saw by a wager on each arm, the mixture over λ of Π(1 + λ·(1{A=a} − p)): its largest value is above 1/level with probability at most level, at every number of rounds and over all arms (Bonferroni).", "Ville 1939, Étude critique de la notion de collectif; Waudby-Smith and Ramdas 2024, doi:10.1093/jrsssb/qkad009", []string{digest.SeenWager}, nil},
		{"Noise", "Released values less the exact sums of the same rows, differenced into the draws of the declared counter. Under its law −ln P(|Y| ≥ |y|) of every draw is exponential with mean 1, and signs are fair coins: tests of scale, shape, signs, independence, growth with the rows, and arms against each other, at one level together (Bonferroni); draws on a lattice are made continuous by fixed numbers. ε of the noise is the declared ε over the ratio of the scales.", ownReviewed, []string{digest.SeenNoise}, nil},
		{"Explanations", "Each is the declared policy with one change, recomputed on the rows that the table names, its value fitted to them. It fits where nearly all of them are within the tolerance of the comparison, or where its test does not reject it.", ownReviewed, []string{digest.SeenExplained}, nil},
		{"ε of the declared mechanism", "Largest cost of a row, Σ sensitivity/scale over the noisy releases that cover it, over all action sequences, in exact fractions. Arms compose in parallel.", "Chan, Shi and Song 2011, doi:10.1145/2043621.2043626; pathwise form: " + ownReviewed, []string{digest.SeenLedger}, []string{"claim:privacy.total", "number:epsilon_mechanism"}},
		{"ε realised", "The same on the logged action sequence only; it is not a DP parameter.", ownReviewed, []string{digest.SeenLedger}, []string{"number:epsilon_realized"}},
		{"Cost of a row by its own context", "‖x‖₁·Σ 1/scale over the noisy releases that cover the row, x the context of the played arm in whole steps of the counter's grid, scale that of the declared bound policy.context_l1. Given the contexts; rounded up, together with others where there are many.", ownReviewed, []string{digest.SeenOwnCosts}, nil},
		{"Bias bound", "(hi−lo)·(1/N)·Σ tanh(c/4) over the N rows of the arm with costs c; published: (hi−lo)·(e^ε−1). With units that have several rows, c is the cost of all rows of the unit.", ownReviewed + "; Neel and Roth 2018", []string{digest.SeenBiasBound}, []string{"claim:bias.bound", "number:bias_bound", "number:bias_bound_paper"}},
		{"Bias bound by ε and δ", "(hi−lo)·(tanh(ε/4) + m·δ/4), m = rounds × arms (K·T); averaged over the actions.", ownReviewed, []string{digest.SeenDelta}, []string{"number:bias_bound_approximate"}},
		{"Bias of a coefficient", "(hi−lo)·Σ |w|·tanh(c/4) over the rows of the fit, w the weight that a row has in the coefficient.", ownReviewed, []string{digest.SeenCoefficient}, nil},
		{"Bias of a prediction", "(hi−lo)·Σ |h|·tanh(c/4), h the row's weight in the prediction, the largest over the logged contexts; root mean square: (hi−lo)·√((1/N)·Σ tanh²(c/4)). Where the contexts are too many (hi−lo)·√(h·Σ tanh²(c/4)) at the largest leverage h.", ownReviewed, []string{digest.SeenPrediction}, []string{"number:bias_worst", "number:bias_rms"}},
	}
}

func correctionSources(p *digest.Protocol) []Source {
	return slices.Concat([]Source{
		{"σ", "σ² = 2·Σρ(c) over the rows that the test reads, ρ(c) = ln((e^c−1)/c) − 1 + c/(e^c−1). With units that have several rows, over the units it reads, c the cost of all rows of the unit.", "constant: Harrison and Manurangsi, arXiv:2510.25746", []string{digest.SeenCorrected, schemas.MethodCorrected}, []string{"number:sigma", "word:sigma"}},
	}, headlineSources(p), []Source{
		{"Corrected by σ", bySigma, ownReviewed, bySigmaWhere(p), []string{"correction:conditional"}},
		{"Corrected interval", "The raw interval at the level whose corrected p is α.", "as the corrected p", []string{digest.SeenCorrected, schemas.MethodCorrected}, []string{"number:ci_corrected"}},
		{"Corrected by moments", "The smallest over α > 1 of exp(−(1−1/α)·ln(1/p) + (1/α)·Σ(K(α)−K(α−1)−K(1))), K(x) = x·ln(sinh(xc/2)/(xc/2)). Conditional on the action sequence.", ownReviewed, []string{schemas.MethodMoments}, []string{"correction:moments"}},
		{"Corrected by recursion", "The smallest over x of e^x·p + W(x), W the largest of what rows with these costs can do, recursively row by row, on a grid whose costs are rounded up; at most 1,000 rows. Conditional on the action sequence.", ownReviewed, []string{schemas.MethodRecursion}, []string{"correction:recursion"}},
		{"Corrected for any law", "e^E·p/(1+(e^E−1)·p), E the sum of the costs of the rows that the test reads. Conditional on the action sequence.", "Dwork et al. 2015, arXiv:1506.02629, Theorem 19; this form: " + ownReviewed, []string{schemas.MethodAnyLaw}, []string{"correction:any-law"}},
		{"Paper's route", "β + 2^k·p at the best β, k = log2(e)·(ε²n/2 + ε·√(n·ln(2/β)/2)), ε of the declared mechanism, n all rounds. Averaged over the action sequences.", "Dwork et al. 2015, arXiv:1506.02629, Theorem 20; Neel and Roth 2018", []string{schemas.MethodPaper}, []string{"correction:theorem20", "method:paper"}},
		{"By ρ of zero-concentrated privacy", "The largest q with kl(q, p) at most Σρ over all rounds, the information in nats; averaged over the action sequences.", "Bun and Steinke 2016, arXiv:1605.02065; " + ownReviewed, []string{schemas.MethodZCDP}, []string{"correction:zcdp"}},
		{"By ε and δ", "Max-information of approximate privacy over all rounds with explicit constants, the smallest over its free constants; averaged over the action sequences.", "after Rogers, Roth, Smith and Thakkar 2016, arXiv:1604.03924; own proof, internally reviewed", []string{schemas.MethodDelta}, []string{"correction:approximate"}},
		{"Adjusted p", adjusting(p), adjustedAfter(p), nil, []string{"number:p_adjusted", "key:analysis.multiplicity", "claim:hypothesis"}},
	})
}

func estimateSources(p *digest.Protocol) []Source {
	return []Source{
		sequenceSource(p),
		{"IPW mean", "(1/T)·Σ 1{arm played}·reward/propensity over the T rounds in which the arm could be played, of rewards rescaled to [0, 1] by their range; not given where a reward is missing.", "Horvitz and Thompson 1952, doi:10.1080/01621459.1952.10483446", []string{digest.SeenWeightedArm}, []string{"number:ipw_mean"}},
		{"What another policy would have earned", "ρ = π(a)/p(a) of the arm a that was played; ips: the mean of ρ·y; snips: Σρ·y/Σρ; dr: the mean of Σπ·m + ρ·(y − m); above the log: the mean of (ρ − 1)·y. At any time: sixteen fixed bets each on X = ρ·y and X' = ρ·(1 − y), of the log's own on ρ·y + 1 − y and its mirror, where all propensities are known also around m. The normal interval by the rule of weighted estimates, with rounds of ρ > 2 in place of p < ½.", "Dudík, Langford and Li 2011, arXiv:1103.4601; the wagers: own proof; the rule: own simulation", []string{digest.SeenValue}, []string{"method:ips", "method:snips", "method:dr", "key:analysis.evaluate"}},
		{"What another policy earned alone in a replay", "round t is kept with probability f/p where the log played what the policy chose, f the declared floor; the mean over kept rounds, and sixteen fixed bets on them", "Li, Chu, Langford and Wang 2011, doi 10.1145/1935826.1935878; the bets: own proof", []string{digest.SeenReplayed}, []string{"method:replay"}},
		{"Weights that are cut at M", "B = the mean over rounds of Σ(π − M·p)₊ over the arms, else of (ρ − M)₊: ips and the gain are too small by at most B on average, dr off by at most B", "own proof", []string{digest.SeenCut}, []string{"number:clip_bias"}},
		{"Weighted estimates", "w = 1{arm played}/p, rewards y rescaled to [0, 1], m = (S + ½)/(N + 1) of the arm's earlier rewards; ipw: the mean of w·y; snipw: Σw·y/Σw; aipw: the mean of g = m + w·(y − m); aipw-sqrt: Σ√p·g/Σ√p; a difference by the last of these that stands. Variance Σh²·(g − Q)²/(Σh)², of a difference of its terms. The normal interval at a fixed number of rounds is given where each arm that enters has at least k successes and failures, k = 5 of rewards that are 0 or 1, else 15 of what rewards lie above the arm's least and below its largest, as parts of their declared range, while the effective number of pulls times the standard error is at least 2 of these parts, and those of its rounds with p below ½ are light (a part g of the weight with g·√N ≤ ½, or ≤ 1/5 where means are not declared to stand still), or seen to hold k of either at the weight of the round with the smallest p, or, for aipw and aipw-sqrt where analysis.means: constant is declared and H13 finds nothing, can be expected to hold k of either: at a nominal error of .05 it then missed at most .09 in simulation. aipw-sqrt is the mean over all rounds only of a mean that does not move, and is given only where that is declared.", "Hadad, Hirshberg, Zhan, Wager and Athey 2021, doi:10.1073/pnas.2014602118; the rule: own simulation", []string{digest.SeenWeighted}, []string{"method:ipw", "method:snipw", "method:aipw", "method:aipw-sqrt"}},
		{"Allocation (H05)", "Pulls against Σ p with variance Σ p·(1−p); without propensities of all arms, Σ 1/p of the logged actions against the rounds in which the arm could be played. Level 0.0005 over all experiments of the log, each sum at the end of what the decimals of the propensities allow that is nearer to what was played: per arm (Holm), jointly, and, with batches, each batch and arm (Bonferroni). Where the propensities are the same in all rounds by the binomial and χ² laws; otherwise by supermartingales mixed over sizes fixed in advance, which hold for any propensities: wagers on 1{A=a}/p, Freedman's where p of all arms is known, likelihood ratios jointly.", "Ville 1939, Étude critique de la notion de collectif; Freedman 1975, doi:10.1214/aop/1176996452; Waudby-Smith and Ramdas 2024, doi:10.1093/jrsssb/qkad009", []string{digest.SeenCheck + "H05"}, nil},
		{"Allocation (H17)", "E-values: the average of betting tests on 1{A=a}/p⁺ in subgroups known before the draw, p⁺ the largest propensity that its decimals allow; rejects at 1/level. Where the propensities of all arms are logged also on arms that were played too seldom. Half of the weight is on splits by contexts, past and time; the rest is on both tails of a context, on each arm's own earlier pulls, on cells one by one, with Π(½ + ½·mean wager) over the cells of a partition, sets of eligible arms among them, and on crossings of two contexts, or of a context and the previous action, cell by cell and by each arm's own earlier pulls in these cells. Of that rest tails, pulls and cells have two parts each and the two on crossings one each. The average of all accounts is a supermartingale; level 0.0005 over all experiments of the log, at every number of rounds. Where units own several rounds and each is declared to be drawn anew, half of the level is for a wager on 1{A=b}/p⁺, b the arm of the unit's round before, by its value at the end of the log (Markov); where the propensities of all arms are known also on w_A/Σ p·w, w = (κ + n)/(κ + e), n the plays of an arm in the unit's earlier rounds, e those expected, κ = 2, 8, 32, 128. Where it is known which arm B is the likelier one (logged propensities of all arms, or of two arms that can always be played), a fifth of the level is for wagers on 1{A=B}/p⁺ and 1{A≠B}/(1 − p⁻), likewise; with propensities of all arms also on the rounds with p⁺ of at least 0.8 alone.", "Ville 1939, Étude critique de la notion de collectif; Waudby-Smith and Ramdas 2024, doi:10.1093/jrsssb/qkad009", []string{digest.SeenCheck + "H17"}, nil},
		{"Missing rewards (H11)", "Equal shares over arms: Pearson's χ², or where a count is expected below 5 the hypergeometric law of each arm against the others, times the arms; over all rounds, and within each quarter of the log, times four.", "Fisher 1934, Statistical Methods for Research Workers, 5th edition", []string{digest.SeenCheck + "H11"}, nil},
		{"Means that move (H13)", "p = 1/max E, ln E = ln[(1/12)·Σ exp Σ(y·ln q + (1−y)·ln(1−q))] − [S·ln(S/n) + (n−S)·ln(1−S/n)], S the sum of n rewards of the arm in [0, 1], q of twelve forgetting predictors. They forget by 1 − 2^−k, k = 4 … 11, 14, 17, 20, 23. The largest E is over those after each of the first 1,000 rewards, every 16th from there on, and the last. Valid for one mean whatever came before, at any number of plays; level 0.05 over all arms (Holm).", "after Ramdas, Ruf, Larsson and Koolen 2022, arXiv:2102.00630, for bounded rewards by the inequality of weighted means: own proof, internally reviewed", []string{digest.SeenCheck + "H13"}, nil},
		{"Means by unit", "The mean of all rows; variance G/(G−1)·Σ(S−n·mean)²/N² over G units with n rows and sum S; t with G−1 degrees of freedom.", "Liang and Zeger 1986, doi:10.1093/biomet/73.1.13", []string{digest.SeenUnits}, nil},
	}
}

func testSources() []Source {
	return []Source{
		{"Any-time p of a difference", "p = 1/e, e the average of sixteen fixed bets on X = w_a·y + w_b·(1−y) and on X' = w_b·y + w_a·(1−y), w = 1{arm played}/p. X has mean 1 + δ and X' mean 1 − δ, δ the difference of the arms averaged over all rounds. Where the propensities of both arms are known in every round also bets on the same around a guess of the means enter e, which is taken at the end of the log. Without propensities, of two means each over its own rounds, only where means are declared to be constant.", "own proof, internally reviewed; X' after Waudby-Smith, Wu, Ramdas, Karampatziakis and Mineiro 2022, arXiv:2210.10768", []string{digest.SeenBetsOfTwo}, []string{"method:any-time"}},
		{"Decided by a weighted estimate", "z = (estimate − value)/standard error of aipw-sqrt, or of aipw where that does not stand, against the normal law; only where the estimate has an interval by the rule of weighted estimates, whose error at a nominal .05 was up to .09 in simulation.", "Hadad, Hirshberg, Zhan, Wager and Athey 2021, doi:10.1073/pnas.2014602118; the rule: own simulation", []string{schemas.EstimatorAIPW, schemas.EstimatorSqrt}, []string{"method:adaptive"}},
		{"The policy run again", "p is the rank of Σ (S−N·mean)²/(N+10) over arms among those of runs of the declared policy, with fresh draws, on rewards permuted within short blocks of rounds. Where arms have equal rewards, a record is what it would have been under any other arm. Runs stop early once enough are as large (Besag and Clifford). Of a constant shift between two arms the runs are on the rewards less the shift, which is given back where the arm is played; its interval is the hull of the shifts of a fixed grid that are not rejected, to the rejected neighbours. Streams of draws begin at a fixed seed.", "after Simon and Simon 2011, doi:10.1016/j.spl.2010.12.018; Besag and Clifford 1991, doi:10.1093/biomet/78.2.301; with permuted records: own proof, internally reviewed", []string{schemas.MethodRerun}, nil},
		{"Wagers on the arm, given the reward", "p = 1/max e, e the average of eight bets on which arm was played, given its reward, against the odds of the propensities. Half of them bet on either arm to have the higher rewards.", "own proof, internally reviewed; kin: Duan, Ramdas and Wasserman 2022; Grünwald, Henzi and Lardy 2024", []string{schemas.MethodAssignment}, nil},
		{"Each batch given its margins", "Labels of two arms are exchangeable given the rewards, where within a batch every round has the same chances and the arms have equal rewards. Rewards of 0 and 1: the ones S of an arm are hypergeometric; e is the average over ψ = ±1/4, ±1/2, ±1, ±3/2 of the product of e^(ψS)/E[e^(ψS)] over batches, and p is 1 over the largest that it was after any batch. Others: p of a batch by its labels, one-sided, all sets of labels where they are at most as many as would be drawn, else (1 + as large)/(1 + drawn) of drawn ones: 9,999 a batch up to 40,000 rounds, and fewer of more, down to 99; −2·Σ ln p against χ² with two degrees of freedom a batch, a batch that says nothing counted as 1, the smaller side doubled. Streams of draws begin at a fixed seed.", "Fisher 1932, Statistical Methods for Research Workers, 4th edition; the wagers: own proof, internally reviewed", []string{schemas.MethodBatchExact}, nil},
		{"Each batch standardised by itself", "Δ the difference of the two means in a batch, σ² its pooled variance on n − 2, c = √(n_a·n_b/(n_a + n_b))/σ: Z = Σc·(Δ − δ)/√B over B batches, about standard normal where each has many rounds; estimate Σc·Δ/Σc, standard error √B/Σc. Only where in every batch both arms were played and rewards vary. It decides nothing; of a nominal 0.05 it missed 0.031–0.061 in simulations of batched Thompson sampling.", "Zhang, Janson and Murphy 2020, arXiv:2002.03217", []string{schemas.MethodBOLS}, nil},
		{"Exact test", "Binomial, two-sided p = min(1, twice the smaller tail), with the Clopper–Pearson interval.", "Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404", nil, []string{"test:exact"}},
		{"Two arms", "Fisher's exact test of rewards of 0 and 1, the empirical Bernstein bound of others, unless the test names another; Welch's t has Satterthwaite's degrees of freedom.", "Fisher 1934; Welch 1947, doi:10.1093/biomet/34.1-2.28", []string{schemas.TestDifference}, []string{"test:exact", "test:welch"}},
		{"Hoeffding, Bernstein", "Bounds for bounded rewards at every number of rows: Hoeffding's, and the empirical Bernstein bound, which is sharper where the variance is small.", "Hoeffding 1963, doi:10.1080/01621459.1963.10500830; Maurer and Pontil 2009, arXiv:0907.3740, Theorems 10 and 11", []string{otherTests}, []string{"test:hoeffding", "test:bernstein"}},
		{"Fixed bets", "p = min(1, 1/e), e the mean of E(x, m) and E(1 − x, 1 − m), E = (1/16)·Σ Π(1 + θ·x)/(1 + θ·m)^n over θ = e^(2^(j−12)) − 1, j = 0 … 15. Rewards x are rescaled to [0, 1], m is their mean; a one-sided p takes one of both. Valid at every number of rows, for the mean of their expectations. Of a difference the least of such products of both arms over the second mean.", "own proof, internally reviewed; bets that are fixed and mixed: Orabona and Jun 2021, arXiv:2110.14099", []string{otherTests}, []string{"test:bets", "method:any-time"}},
		{"Regression", "Ordinary least squares; classical or heteroscedasticity-consistent covariance; rank measured, dependent columns dropped and named.", "MacKinnon and White 1985, doi:10.1016/0304-4076(85)90158-7", []string{digest.SeenRegressions}, []string{"key:analysis.regressions"}},
		{"Errors by cluster", "Scores summed within clusters; CR1 times G/(G−1)·(n−1)/(n−k) for G clusters, n rows and k columns, CR0 without; t with G−1 degrees of freedom.", "Liang and Zeger 1986; Cameron and Miller 2015, doi:10.3368/jhr.50.2.317", []string{digest.SeenClusters}, []string{"number:clusters"}},
		{"Several coefficients", "Wald's statistic under the fit's covariance, divided by the number of coefficients, against F.", "Wald 1943, doi:10.1090/S0002-9947-1943-0012401-3", []string{schemas.TestJoint}, nil},
	}
}

// sequenceSource is how confidence sequences are made.
func sequenceSource(p *digest.Protocol) Source {
	switch p.Analysis.Sequence {
	case schemas.SequenceBetaBinomial:
		return Source{"Confidence sequence", "The means m with M(m) < K/α, M the average over κ = 1, 10, 100, 1000 of B(κm+S, κ(1−m)+n−S)/B(κm, κ(1−m))/(m^S·(1−m)^(n−S)), of n rewards with the sum S, rescaled to [0, 1]; valid where the mean of the arm is one number in all rounds that played it.", "Howard, Ramdas, McAuliffe and Sekhon 2021, doi:10.1214/20-AOS1991; with κ fixed, and for rewards in [0, 1] by the inequality of weighted means: own proof, internally reviewed", nil, []string{"number:confidence_sequence", "key:analysis.sequence"}}
	case schemas.SequenceNormal:
		return Source{"Confidence sequence", "Half-width (Δ/2N)·√((N+ρ)·(ln((N+ρ)/ρ) + 2·ln(K/α))), ρ = 100, union over K arms, Δ the range of the reward; of a difference the sum of both.", "Robbins 1970, doi:10.1214/aoms/1177696786", nil, []string{"number:confidence_sequence", "key:analysis.sequence"}}
	}
	of := "The means m with e(m) < K/α, e = (1/16)·Σ Π(1+θ·x)/(1+θ·m)^N averaged over rewards x in [0, 1] " +
		"and their mirror images, θ sixteen fixed bets."
	if p.Analysis.Means == schemas.MeansConstant {
		of += " Where units own one row each and H13 finds no mean of the arm that moves, which is declared, e is the largest after ⌈1.1^k⌉ rounds of the arm, k = 0, 1, …, and the last; likewise the any-time p of a mean."
	}
	return Source{"Confidence sequence", of, "Cover's mixture of constant bets: Orabona and Jun 2021, arXiv:2110.14099; for means that drift: own proof, internally reviewed", nil, []string{"number:confidence_sequence", "key:analysis.sequence"}}
}

// bySigma is the correction by σ, which another method has beside it.
const bySigma = "exp(−½·(√(2·ln(1/p)) − σ)²) if p < exp(−σ²/2), otherwise 1. Conditional on the action sequence."

// bySigmaWhere is what calls for the correction by σ beside the headline.
func bySigmaWhere(p *digest.Protocol) []string {
	if p.Analysis.Correction.Method == digest.CorrectBest {
		return nil // always: the headline is made from it
	}
	return []string{schemas.MethodConditional}
}

// headlineSources are how the declared method makes the corrected p.
func headlineSources(p *digest.Protocol) []Source {
	switch p.Analysis.Correction.Method {
	case digest.CorrectPublished:
		return []Source{{"Corrected p", "The paper's route, as below, which the protocol chose. Averaged over the action sequences.", "as the paper's route", nil, []string{"method:corrected"}}}
	case digest.CorrectRecursion:
		return []Source{{"Corrected p", "By recursion where the test reads at most 1,000 rows or units, otherwise by moments; both as below. Conditional on the action sequence.", ownReviewed, nil, []string{"method:corrected"}}}
	case digest.CorrectBest:
		return []Source{{"Corrected p", "The smallest of the corrections by σ, by moments, for any law and, where the test reads at most 1,000 rows or units, by recursion, all of one raw p and as below. Conditional on the action sequence.", ownReviewed, nil, []string{"method:corrected"}}}
	}
	return []Source{{"Corrected p", bySigma, ownReviewed, nil, []string{"method:corrected"}}}
}

// adjusting is how an adjusted p is made.
func adjusting(p *digest.Protocol) string {
	switch p.Analysis.Multiplicity {
	case schemas.AdjustNone:
		return "The p that decides as it is: no adjustment was declared, and each test holds its own level."
	case schemas.AdjustBonferroni:
		return "Bonferroni's procedure on the p-values that decide the declared tests."
	case schemas.AdjustBY:
		return "Benjamini and Yekutieli's procedure on the p-values that decide the declared tests."
	case schemas.AdjustEBH:
		return "Benjamini and Hochberg's procedure on 1/e, e the evidence of a wager at the end of the log, or ½·p^(−½) of a corrected p."
	case schemas.AdjustBH:
		return "Benjamini and Hochberg's procedure on the raw p-values of all declared tests, corrected afterwards over all rows of the family; for raw p-values that are independent or positively dependent."
	}
	return "Holm's step-down procedure on the p-values that decide the declared tests."
}

// adjustedAfter is the author of an adjustment.
func adjustedAfter(p *digest.Protocol) string {
	switch p.Analysis.Multiplicity {
	case schemas.AdjustNone:
		return page.Dash
	case schemas.AdjustBonferroni:
		return "Dunn 1961, doi:10.1080/01621459.1961.10482090"
	case schemas.AdjustBY:
		return "Benjamini and Yekutieli 2001, doi:10.1214/aos/1013699998"
	case schemas.AdjustEBH:
		return "Wang and Ramdas 2022, doi:10.1111/rssb.12489"
	case schemas.AdjustBH:
		return "Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x; corrected form: " + ownReviewed
	}
	return "Holm 1979, Scandinavian Journal of Statistics 6, 65–70"
}
