package calibration

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/cmd/banditlab/mechanisms"
)

// Page runs everything and writes the page.
func Page(w io.Writer) error {
	var b strings.Builder
	found := &findings{}
	for _, part := range []func(*strings.Builder, *findings) error{nulls, coefficients, powers, sizes} {
		if err := part(&b, found); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, title+found.text()+method()+b.String())
	return err
}

const title = `# False alarms and bias of every policy on every counter, and power of some

What tests at level 5% do on data whose truth is known: **naive**, as if the actions had been fixed in
advance; **(d)** and **(g)**, corrected for the privacy of the mechanism given the actions; **Theorem 20**, the
published correction, averaged over the actions; and the **confidence sequence**, which needs no privacy.
`

// method says what was done; at is a raw level that becomes α.
func method() string {
	at := func(sigma float64) string {
		return fmt.Sprintf("%.2g", math.Exp(maxinfo.GammaLog(math.Log(Alpha), sigma)))
	}
	return `
## Method

This page is written by

    go run ./cmd/banditlab calibration -o testdata/reproduce/CALIBRATION.md

It follows from the code and its seeds; a test computes some of it again.

Bandits are played where the truth is known, and each run is tested as if it were
a log, at level 5%:

- **naive**: the raw test, as if the actions had been fixed in advance.
- **(d)**: its p corrected by Rényi divergence, the default. **(g)**: corrected
  by moments, sharper, but by so little that these tables hardly show it. Both hold
  given the actions, over the rows of the arm.
- **Thm 20**: its p corrected by the published route, at the best β, with ε of
  the mechanism and n = T, all rows. It holds averaged over the actions.
- **sequence**: the confidence sequence, which needs no privacy. It holds for all arms
  and all T at once, which costs power in a test of one arm at one T.

There are three arms, and rewards are independent coins of one mean by arm: nothing
here is about drift, other laws of rewards or lost rows. Policies and counters are those of
[MECHANISMS.md](MECHANISMS.md), with three arms in place of five and three columns of
contexts, with upper confidence bounds that have no bonus for the noise, and with
the horizon and ε of the setting. Beside noise softmax has the η of the setting,
on exact sums 0.01. Run i has the master seed i, so that all pairs meet the same
coins: rows of a table are not independent of each other, and the two of uniform are the same runs.
Nor are the three arms of a run, of which two may be one. ε is that of the mechanism; beside
interval it is not the declared one, which only says how often sums are released.
Beside ε = ∞ corrections are not applicable, and – stands for them; at ε = 0 they change nothing.

σ is what the correction (d) uses, on average over the runs where it is finite: for the most
pulled arm where the null is true, for the first arm in the table of power. At σ = 0.5 a
raw p of ` + at(0.5) + ` becomes 0.05; at σ = 1 one of ` + at(1) + `; at σ = 2, ` + at(2) + `; at σ = 5,
` + at(5) + `; what is far beyond is vacuous: it rejects next to nothing.
`
}

// nulls writes the tables of true hypotheses.
func nulls(b *strings.Builder, found *findings) error {
	b.WriteString(`
## Every arm has mean ½

Every rejection is a false one. In each cell are the percentages of runs that
reject for three arms: **most pulled / least pulled / first**; for the first, of the
runs that pull it. The exact test of the most pulled asks for a mean above ½, that of
the least pulled for one below, because selection moves means there, and that of the
first for either. Where several arms have the same number of pulls it is the first of them; an arm without
pulls is no least pulled one. Counts are whole numbers, so that an exact
test rejects less than 5% for few rows, and never below five of them, or six two-sided:
rates near 0 of a least pulled arm on noise say that it had few rows.

**Bias** is the mean over runs of the arm's mean reward less ½, ± its standard
error, and after ≤ the mean of its bound, (1/N)·Σ tanh(c_t/4): of the one of the
three arms that is nearest to its bound, or furthest beyond it, in standard errors.

The settings were chosen to show three things. In "Private" corrections cost power and
leave some; "Small" is so small that a larger ε does the same, and the bias is large
enough to be seen. In "Open" the noise is too weak to hide rewards from the policy: the
naive test fails on many pairs, and corrections, which must hold for every policy of
that ε, reject nothing, so that their level holds trivially.
`)
	pairs := mechanisms.Pairs()
	for _, s := range Settings() {
		rows, err := mechanisms.Each(len(pairs), func(i int) (Outcome, error) { return s.Null(pairs[i]) })
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n### %s: T = %d, ε = %s\n\n%d runs, so that a rate of 5%% has a standard error of %.2f. Softmax has η = %g beside noise.\n\n", s.Name, s.Rounds, s.Epsilon, s.Runs, 100*math.Sqrt(Alpha*(1-Alpha)/float64(s.Runs)), s.Eta)
		found.means.see(s.Name, rows, Renyi, Moments, Theorem20)
		b.WriteString(largest(rows))
		b.WriteString("\n| policy × counter | ε | σ | naive | (d) | (g) | Thm 20 | sequence | bias |\n|---|---|---|---|---|---|---|---|---|\n")
		for _, r := range rows {
			b.WriteString(r.Line() + "\n")
		}
	}
	return nil
}

// largest says what was largest over the pairs.
func largest(rows []Outcome) string {
	var top [methods]float64
	var at [methods]string
	excess, used, beyond, using := math.Inf(-1), 0.0, "", ""
	naive, naiveAt := 0.0, "" // where corrections apply
	failing, private := 0, 0
	for _, r := range rows {
		fails := false
		for i := range r.By {
			c := &r.By[i]
			for m := range top {
				if v := c.Rate(m); v > top[m] && r.applies(m) {
					top[m], at[m] = v, " ("+r.Pair.Name()+")"
				}
			}
			if v := c.Rate(Naive); v > naive && r.applies(Renyi) {
				naive, naiveAt = v, " ("+r.Pair.Name()+")"
			}
			fails = fails || c.loud(Naive)
			if v := c.Excess(); v > excess && !math.IsInf(r.Epsilon, 1) {
				excess, beyond = v, r.Pair.Name()
			}
			if v := c.Used(); v > used && !math.IsInf(r.Epsilon, 1) {
				used, using = v, r.Pair.Name()
			}
		}
		failing += map[bool]int{true: 1}[fails]
		private += map[bool]int{true: 1}[r.applies(Renyi)]
	}
	var b strings.Builder
	b.WriteString("- Largest rates:")
	for m, name := range [methods]string{"naive", "(d)", "(g)", "Thm 20", "sequence"} {
		fmt.Fprintf(&b, " %s %s%%%s%s", name, percent(top[m]), at[m], map[bool]string{true: ";", false: "."}[m < Sequence])
	}
	fmt.Fprintf(&b, " Those of corrections are over the %d pairs of finite ε above 0, where the naive test rejects up to %s%%%s.\n", private, percent(naive), naiveAt)
	fmt.Fprintf(&b, "- The naive test rejects more than 5%% and four standard errors for some arm of %d of the %d pairs.\n", failing, len(rows))
	fmt.Fprintf(&b, "- No bias is further beyond its bound than %.1f standard errors (%s): below 4 of them chance may explain it, as there are %d. The largest share of its bound that a bias uses, less four standard errors, is %.0f%% (%s).\n", excess, beyond, Selections*len(rows), 100*used, using)
	return b.String()
}

// applies reports whether a method says something that the naive test does not.
func (r *Outcome) applies(method int) bool {
	return method == Naive || method == Sequence || r.Epsilon > 0 && !math.IsInf(r.Epsilon, 1)
}

// Line is a row of the table of true hypotheses.
func (r *Outcome) Line() string {
	worst := &r.By[0]
	for i := range r.By {
		if c := &r.By[i]; c.Excess() > worst.Excess() {
			worst = c
		}
	}
	mean, se := worst.Bias()
	cells := []string{r.Pair.Name(), number(r.Epsilon), "–"}
	if !math.IsInf(r.Epsilon, 1) {
		cells[2] = fmt.Sprintf("%.2f", r.By[0].Sigma())
	}
	for m := range methods {
		cells = append(cells, r.rates(m))
	}
	bound := "–"
	if !math.IsInf(r.Epsilon, 1) {
		bound = fmt.Sprintf("%.4f", worst.Bound())
	}
	return "| " + strings.Join(append(cells, fmt.Sprintf("%+.4f ± %.4f ≤ %s", mean, se, bound)), " | ") + " |"
}

// rates is a cell of three rates.
func (r *Outcome) rates(method int) string {
	if math.IsInf(r.Epsilon, 1) && method != Naive && method != Sequence {
		return "–"
	}
	var out []string
	for i := range r.By {
		out = append(out, percent(r.By[i].Rate(method)))
	}
	return strings.Join(out, " / ")
}

func percent(rate float64) string { return strconv.FormatFloat(100*rate, 'f', 1, 64) }

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "∞"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
