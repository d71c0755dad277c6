package faults

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"banditaudit/schemas"
)

// Bill is what the releases of the described UCB cost.
type Bill struct {
	Rounds   int64
	Releases int64   // of the arm that was released most often
	Exact    float64 // ε of that arm's first row: the sum over its releases
	Fit      *schemas.NoiseFit
	Found    Conviction
}

// Described UCB: after n rows the sum is released with popcount(n) new Laplace
// variables of scale L/ε, all divided by n. One reward moves the sum by up to 1
// and so makes the release e^(n·ε/L) times as likely at most, which a value far
// out attains. The first row is in every release:
//
//	Σ_n n·ε/L = N(N+1)/2 · ε/L
//
// for N releases that were seen. Own derivation, internally reviewed.
func exactCost(releases int64) float64 {
	levels := bits.Len64(Horizon)
	return float64(releases) * float64(releases+1) / 2 / float64(levels)
}

// Recreate audits the described UCB with its released values.
func Recreate(run, rounds int64) (out Bill, err error) {
	m := Mechanisms()[0]
	c := Case{m, Described}
	// The reward of the last round is in no release that was seen.
	before, truth, err := play(m, c.faults(), run, rounds-1)
	if err != nil {
		return Bill{}, err
	}
	if err = before.remove(); err != nil {
		return Bill{}, err
	}
	l, _, err := play(m, c.faults(), run, rounds)
	if err != nil {
		return Bill{}, err
	}
	defer func() { err = errors.Join(err, l.remove()) }()
	found, err := l.audit(Released)
	if err != nil {
		return Bill{}, err
	}
	out = Bill{Rounds: rounds, Releases: slices.Max(truth.Experiments[0].Pulls), Found: convicted(found.Claims, &found.Experiment)}
	out.Exact = exactCost(out.Releases)
	if r := found.Experiment.Replay.Released; r != nil {
		out.Fit = r.Noise
	}
	return out, nil
}

// Spent is the ε that the audit says, with its interval.
func (b *Bill) Spent() string {
	if b.Fit == nil || b.Fit.Spent == nil {
		return "–"
	}
	text := number(float64(*b.Fit.Spent))
	if b.Fit.SpentLo != nil && b.Fit.SpentHi != nil {
		text += fmt.Sprintf(" (%s to %s)", number(float64(*b.Fit.SpentLo)), number(float64(*b.Fit.SpentHi)))
	}
	return text
}

// number writes x as the page does.
func number(x float64) string {
	switch {
	case math.IsInf(x, 0):
		return "∞"
	case math.Abs(x) >= 1000:
		return grouped(int64(math.Round(x)))
	}
	return fmt.Sprintf("%.4g", x)
}

// grouped writes n with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
