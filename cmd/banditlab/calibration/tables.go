package calibration

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"banditaudit/cmd/banditlab/mechanisms"
)

// coefficientSettings are the settings of the regressions: fewer runs, as each fits
// three models.
func coefficientSettings() []Setting {
	out := []Setting{Settings()[0], Settings()[2]}
	for i := range out {
		out[i].Runs = 1000
	}
	return out
}

// coefficientPairs lists the pairs whose regressions are tested.
func coefficientPairs() []mechanisms.Pair {
	var out []mechanisms.Pair
	for _, p := range mechanisms.Pairs() {
		if p.Linear || p.Policy.Name == "softmax" {
			out = append(out, p)
		}
	}
	return out
}

func coefficients(b *strings.Builder, found *findings) error {
	fmt.Fprintf(b, `
## Coefficients of contexts without an effect

Every arm has mean ½, whatever the context. Its rewards are regressed on an
intercept and two of three columns, which sum to 1, and the first coefficient is tested
against 0 by the t test with classical errors, two-sided; an arm with fewer than
%d rows is left out, so that rates are of the runs where it is tested. The raw p is
approximate, and so is the corrected one: where ε = 0, and nothing is corrected, rates
are those of the t test. The bound on the bias is Σ|w_t|·tanh(c_t/4), w the weights of
the rewards in the coefficient. linucb and lints read the contexts, softmax and uniform
do not.
`, leastRows)
	pairs := coefficientPairs()
	for _, s := range coefficientSettings() {
		rows, err := mechanisms.Each(len(pairs), func(i int) (Outcome, error) { return s.Coefficients(pairs[i]) })
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n### %s: T = %d, ε = %s, %d runs\n\n| policy × counter | ε | σ | naive | (d) | (g) | bias |\n|---|---|---|---|---|---|---|\n", s.Name, s.Rounds, s.Epsilon, s.Runs)
		found.coefficients.see(s.Name, rows, Renyi, Moments)
		for _, r := range rows {
			cells := strings.Split(r.Line(), " | ")
			b.WriteString(strings.Join(append(cells[:6:6], cells[8]), " | ") + "\n")
		}
	}
	return nil
}

// powerPairs names the pairs of the table of power.
func powerPairs() []string {
	return []string{
		"epsilon-greedy × laplace", "ucb, c = 2 × hybrid", "ucb, c = 2 × epochs", "ucb, δ = 0.05 × exact", "thompson, Beta × binary",
		"softmax × exact", "softmax × tree", "successive-elimination × hybrid", "linucb × binary", "lints × epochs",
	}
}

// gaps of the table of power.
func gaps() []float64 { return []float64{0.05, 0.1, 0.15, 0.2} }

func powers(b *strings.Builder, found *findings) error {
	s := Settings()[0]
	s.Runs = 1000
	fmt.Fprintf(b, `
## Power

The first arm has mean ½ + gap, the others ½, and the first is tested against ½,
two-sided: the percentage of %d runs that reject, with a standard error of %.1f at most.
T = %d, and ε = %s for every counter that has one; softmax on exact sums has an ε of its
own, and (d) rejects nothing there. σ is that of the first arm. The pairs were chosen by
hand, from seven families of policies.

The gain is the rate of (d), and of (g), over that of Theorem 20; – where Theorem 20
never rejects. Theorem 20 holds averaged over the actions and counts all T rows; (d)
holds given the actions and counts those of the arm. The naive test is no rival where it
does not hold its level, as on exact sums; on the others its rate says what a correction
costs. A policy that meets noise as strong as this may play the first arm seldom however
good it is, and a test has no power then.

| policy × counter | gap | σ | naive | (d) | (g) | Thm 20 | sequence | gain (d) | gain (g) |
|---|---|---|---|---|---|---|---|---|---|
`, s.Runs, 50/math.Sqrt(float64(s.Runs)), s.Rounds, s.Epsilon)
	byName := map[string]mechanisms.Pair{}
	for _, p := range mechanisms.Pairs() {
		byName[p.Name()] = p
	}
	names, g := powerPairs(), gaps()
	rows, err := mechanisms.Each(len(names)*len(g), func(i int) (Outcome, error) { return s.Power(byName[names[i/len(g)]], g[i%len(g)]) })
	if err != nil {
		return err
	}
	for i, r := range rows {
		b.WriteString(r.PowerLine(g[i%len(g)]) + "\n")
		found.gain(&r.By[2], i%len(g) == 0)
	}
	return nil
}

// PowerLine is a row of the table of power: rates of all runs, as one that does
// not pull the arm rejects nothing.
func (r *Outcome) PowerLine(gap float64) string {
	c := &r.By[2]
	cells := []string{r.Pair.Name(), number(gap), "–"}
	if !math.IsInf(r.Epsilon, 1) {
		cells[2] = fmt.Sprintf("%.2f", c.Sigma())
	}
	for m := range methods {
		cell := "–"
		if m == Naive || m == Sequence || !math.IsInf(r.Epsilon, 1) {
			cell = percent(float64(c.Rejected[m]) / float64(r.Runs))
		}
		cells = append(cells, cell)
	}
	for _, m := range []int{Renyi, Moments} {
		cells = append(cells, gain(float64(c.Rejected[m]), float64(c.Rejected[Theorem20])))
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// gain is a/b as text.
func gain(a, b float64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", a/b)
}

// designs of the table of sizes.
func designs() []Size {
	return []Size{{0.01, 0.05}, {0.01, 0.1}, {0.05, 0.05}, {0.05, 0.1}, {0.05, 0.2}, {0.1, 0.1}, {0.1, 0.2}, {0.2, 0.2}}
}

// sizes writes how many rounds a test needs.
func sizes(b *strings.Builder, found *findings) error {
	b.WriteString(`
## Rounds that power 80% takes

Three arms in turn, every reward of cost ε, one arm with mean ½ + gap, tested
against ½, two-sided at 5%: the least number of rounds T at which the test rejects with
probability 0.8 or more, and at every further turn of the arms up to 1.25·T, because
power rises in a saw-tooth with whole counts. It is computed from binomial
probabilities, without simulation; never: not up to 3·2²⁰ rounds. The gain is the rounds
of Theorem 20, which counts all T rows, over those of (d), and of (g), which count those
of the arm. Designs were chosen by hand, and gains depend on them: they are large where
ε²·T is not small, and it is the sequence then that (d) has to beat.

Arms in turn stand for a policy that pulls every arm in a third of the rounds. In turn
itself reads no rewards, costs nothing, and leaves the naive test right; ε is what an
auditor has to assume who knows no more than that a reward costs ε.

| ε | gap | naive | (d) | (g) | Thm 20 | sequence | gain (d) | gain (g) |
|---|---|---|---|---|---|---|---|---|
`)
	rows, err := mechanisms.Each(len(designs()), func(i int) ([methods]int64, error) { return designs()[i].Rounds(), nil })
	for i, rounds := range rows {
		z := designs()[i]
		b.WriteString(z.line(rounds) + "\n")
		found.sizes = append(found.sizes, sized{z, rounds})
	}
	return err
}

// Line is a row of the table of sizes.
func (z Size) Line() string { return z.line(z.Rounds()) }

func (z Size) line(rounds [methods]int64) string {
	cells := []string{number(z.Epsilon), number(z.Gap)}
	for _, t := range rounds {
		cell := "never"
		if t > 0 {
			cell = strconv.FormatInt(t, 10)
		}
		cells = append(cells, cell)
	}
	for _, m := range []int{Renyi, Moments} {
		switch {
		case rounds[m] == 0:
			cells = append(cells, "–")
		case rounds[Theorem20] == 0:
			cells = append(cells, "∞")
		default:
			cells = append(cells, gain(float64(rounds[Theorem20]), float64(rounds[m])))
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}
