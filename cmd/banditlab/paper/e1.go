package paper

import (
	"fmt"
	"math"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// Names of settings that more than one file speaks of.
const (
	ucbTwo      = "ucb-c2"
	ucbHalf     = "ucb-c0.5"
	ucbClosest  = "ucb-closest"
	ucbNarrow   = "ucb-c0.35"
	privPrinted = "private-as-printed"
	privNoGamma = "private-without-relaxation"
)

const (
	e1Arms   = 20
	e1Rounds = 500
	e1Full   = 10_000
	e1Short  = 1000
	e1Share  = "0.0025" // ε/K with ε = .05
)

// e1Arenas are the settings of the first experiment: K = 20 Bernoulli arms with
// means 1, .95, …, .05, T = 500, ε = .05. The paper names neither the law of a
// reward nor the width of UCB; .40 is the width of ours whose average bias comes
// closest to the printed one among .25, .30, .35, .40, .5 and 2.
func e1Arenas(size string) []*arena {
	runs := pick(size, int64(e1Full), e1Short)
	private := func(w schemas.Values, bonus string) *schemas.Protocol {
		return privateUCB(e1Arms, w, bonus, "seeded", e1Share, e1Rounds)
	}
	var out []*arena
	for _, s := range []struct {
		id, words string
		protocol  *schemas.Protocol
	}{
		{ucbTwo, "UCB, width √(2 ln t/N) (UCB1)", ucb(e1Arms, width(2), "seeded")},
		{ucbHalf, "UCB, width √(ln t/2N)", ucb(e1Arms, width(.5), "seeded")},
		{ucbClosest, "UCB, width √(.40 ln t/N), the closest to the printed bias", ucb(e1Arms, width(.4), "seeded")},
		{ucbNarrow, "UCB, width √(.35 ln t/N), the closest to the printed largest bias", ucb(e1Arms, width(.35), "seeded")},
		{privPrinted, "private UCB as printed: noise of ε/K on the sum, width √(2 ln(t/δ)/N), γ of the appendix, δ = .05", private(printedWidth(), "paper")},
		{privNoGamma, "private UCB without the relaxation γ", private(printedWidth(), "none")},
	} {
		out = append(out, &arena{id: s.id, words: s.words, means: descending(e1Arms), rounds: e1Rounds, runs: runs, player: declare(s.protocol)})
	}
	return out
}

// e1 is the bias of arm means under UCB and private UCB.
func e1(r *runner) (*documents.PaperExperiment, error) {
	by, all, err := playAll(r, e1Arenas(r.size))
	if err != nil {
		return nil, err
	}
	return &documents.PaperExperiment{
		Title:    "Bias of arm means, 20 arms, 500 rounds, ε = .05",
		Question: "Does UCB underestimate the mean of each arm, and is a private UCB less biased?",
		Settings: settings(all),
		Figures:  e1Figures(by),
		Gates:    e1Gates(by),
		Plots: []documents.PaperPlot{
			together("e1-bias", "Bias per arm of UCB and private UCB (experiment 1)", by[ucbClosest].biasPlot("", ""), by[privPrinted].biasPlot("", "")),
			by[ucbClosest].biasPlot("e1-bias-ucb", "Bias per arm of UCB (experiment 1)"),
			by[privPrinted].biasPlot("e1-bias-private", "Bias per arm of private UCB (experiment 1)"),
			regretPlot("e1-regret", "Average regret (experiment 1)", by[ucbClosest], by[ucbHalf], by[ucbTwo], by[privPrinted], by[privNoGamma]),
		},
		Notes: []string{
			"Rewards are Bernoulli, ties are broken at random, and the first 20 rounds play every arm once. The paper names no law of rewards and no width; UCB's bias moves with the width by a factor of four.",
			fmt.Sprintf("With ε/K = .0025 per arm the relaxation γ/N is far above 1, or the noise is, for every N up to 500. As printed, private UCB plays every arm about 25 times whatever it earns: its regret is %.1f, that of uniform play 237.5. What is left of bias is the error of an average over the runs, which stands beside it as what no bias would leave: uniform play has no bias to remove.", by[privPrinted].regretAt(e1Rounds).mean),
			"A quotient of a bias by such an error grows with the square root of the number of runs.",
			e1Chosen(by),
			"Under private UCB as printed 0 to 3 of 19 intervals exclude 0, by reproduce E1 with seed 1 to 8 at full size.",
		},
	}, nil
}

// e1Chosen says that the settings were chosen, and what the others give.
func e1Chosen(by map[string]*played) string {
	with, _, _ := by[privPrinted].averageBias()
	without, _, _ := by[privNoGamma].averageBias()
	return fmt.Sprintf("The settings of the figures differ from row to row and were chosen after looking, among widths and with or without γ: the average bias of private UCB is %.5f with γ as printed and %.5f without, and both are what these runs leave of no bias.", with, without)
}

// e1Figures are what the paper prints of the first experiment.
func e1Figures(by map[string]*played) []documents.PaperFigure {
	ucb, private, printedPrivate := by[ucbClosest], by[privNoGamma], by[privPrinted]
	average, averageSE, _ := ucb.averageBias()
	most, mostSE := ucb.mostBiased()
	low, lowSE, floor := private.averageBias()
	times, timesSE := ratio(average, averageSE, low, lowSE)
	f := []documents.PaperFigure{
		printed{.0698, .00005, ".0698"}.figure("e1.ucb.average", "average absolute bias of UCB", ucbClosest, average, averageSE),
		printed{.14, .005, "roughly 0.14"}.figure("e1.ucb.largest", "bias of the most biased arm under UCB", ucbClosest, most, mostSE),
		e1Significant(ucb),
		printed{.00176, .000005, ".00176"}.figure("e1.private.average", "average absolute bias of private UCB", privNoGamma, low, lowSE),
		indistinguishable("e1.private.arms", privPrinted, printedPrivate),
		printed{40, .5, "over 40 times higher"}.figure("e1.ratio", "average bias of UCB over that of private UCB", documents.SettingsRatio(ucbClosest, privNoGamma), times, timesSE),
	}
	narrow, _, _ := by[ucbNarrow].averageBias()
	narrowMost, _ := by[ucbNarrow].mostBiased()
	f[0].Why = "Of widths √(c ln t/N), c from .25 to 2, none gives both printed figures at once; at this one, the closest, the average is of the printed size."
	f[1].Why = fmt.Sprintf("The width that comes closest to the average gives a largest bias of the printed size; √(.35 ln t/N) gives %.3f, and then an average of %.4f.", narrowMost, narrow)
	as, _, _ := printedPrivate.averageBias()
	f[3].Why = fmt.Sprintf("Without γ the figure is of the printed size, and it is what %s runs leave of no bias at all (%.5f), so that hardly anything of that size would contradict it; with γ as printed it is %.5f, for every arm is then played alike.", schemas.Grouped(private.arena.runs), floor, as)
	f[5].Why = "The quotient is of the printed size, and it is a Monte Carlo floor: its denominator is the error of an average over runs, so that it says how many runs there were, and its interval is so wide that hardly anything of that size would contradict it."
	if sizeOf(private) == Short {
		for _, i := range []int{3, 5} {
			f[i].Verdict, f[i].Why = documents.TooFewRuns, "The figure is the error of an average over runs, or divides by one, so that it says how many runs there were."
		}
	}
	return f
}

// e1Significant holds the number of arms with a significant bias against the
// printed one: all but the top four.
func e1Significant(p *played) documents.PaperFigure {
	count, varying := p.significant()
	f := documents.PaperFigure{
		ID: "e1.ucb.significant", What: fmt.Sprintf("arms with a significant bias under UCB: of %d that vary here, of 20 in the paper", varying), Paper: "16 (all but the top 4)", Setting: p.arena.id, Ours: float64(count),
		Verdict: documents.NotReproduced,
		Why:     fmt.Sprintf("Of %d arms whose mean varies %d are significantly biased; an arm of mean 1 has no variance. Rewards that vary less at the top, or fewer runs, would leave more arms out: the paper does not say how its rewards were drawn.", varying, count),
	}
	if count == 16 {
		f.Verdict, f.Why = documents.Reproduced, "As many arms are."
	}
	return f
}

// indistinguishable holds "statistically indistinguishable from 0 for every arm"
// against the number of arms whose 95 % interval excludes 0, of which one in
// twenty does by chance: at most 4 of 19 has probability .998, and none of 4 .81.
func indistinguishable(id, setting string, p *played) documents.PaperFigure {
	count, varying := p.significant()
	f := documents.PaperFigure{ID: id, What: "arms whose bias under private UCB differs from 0", Paper: "0", Setting: setting, Ours: float64(count), Verdict: documents.NotReproduced}
	switch most := 1 + varying*3/19; {
	case count <= most:
		f.Verdict = documents.Reproduced
		z := p.largestZ()
		f.Why = fmt.Sprintf("%d of %d intervals exclude 0, and one in twenty does by chance; the largest |z| is %.2f, which has p = %.2g among %d by Bonferroni. That the bias is 0 is not shown.", count, varying, z, min(1, float64(varying)*bitexact.Erfc(z/math.Sqrt2)), varying)
	default:
		f.Why = fmt.Sprintf("%d of the %d arms whose mean varies have intervals that exclude 0: the bias is small, and %s runs are enough to see it.", count, varying, schemas.Grouped(p.arena.runs))
	}
	return f
}

// e1Gates are numbers that any correct simulation of these settings gives.
func e1Gates(by map[string]*played) []documents.PaperGate {
	half, two, private, closest := by[ucbHalf], by[ucbTwo], by[privPrinted], by[ucbClosest]
	average := func(p *played) float64 { v, _, _ := p.averageBias(); return v }
	largest := func(p *played) float64 { v, _ := p.mostBiased(); return v }
	regret := func(p *played) float64 { return p.regretAt(e1Rounds).mean }
	count, varying := half.significant()
	odd, _ := private.significant()
	_, _, floor := private.averageBias()
	return []documents.PaperGate{
		half.within("E1, UCB c = .5: average absolute bias", average(half), .058, .002, e1Full),
		half.within("E1, UCB c = .5: largest absolute bias", largest(half), .096, .008, e1Full),
		gate("E1, UCB c = .5: arms below mean 1 with a significant bias", float64(count), pick(sizeOf(half), 19.0, 17), float64(varying)),
		half.within("E1, UCB c = .5: regret of 500 rounds", regret(half), 80, .5, e1Full),
		two.within("E1, UCB c = 2: average absolute bias", average(two), .0221, .0012, e1Full),
		two.within("E1, UCB c = 2: largest absolute bias", largest(two), .037, .004, e1Full),
		two.within("E1, UCB c = 2: regret of 500 rounds", regret(two), 137.1, .5, e1Full),
		closest.within("E1, UCB c = .40: average absolute bias", average(closest), .0744, .002, e1Full),
		closest.within("E1, UCB c = .40: largest absolute bias", largest(closest), .123, .008, e1Full),
		gate("E1, private UCB as printed: arms whose interval excludes 0", float64(odd), 0, 4),
		gate("E1, private UCB as printed: average absolute bias over what no bias leaves", average(private)/floor, 0, 2),
		private.within("E1, private UCB as printed: regret of 500 rounds", regret(private), 237.5, .2, e1Full),
	}
}

// sizeOf says at which size an arena of the first experiment was played.
func sizeOf(p *played) string {
	if p.arena.runs < e1Full {
		return Short
	}
	return Full
}
