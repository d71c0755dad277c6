package mechanisms

import (
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"banditaudit/analyze"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
)

// Seeds is the number of runs of a pair; run i has the master seed
// replay.Seed(i), i = 1…Seeds, for its world as well as for its noise, so that
// all pairs meet the same worlds.
const Seeds = 20

const experiment = "mechanisms"

// Row is what a pair costs and loses.
type Row struct {
	Pair       Pair
	Epsilon    ledger.Loss // of the declared mechanism, for a whole run
	Rho        float64     // of the declared mechanism
	Regret     float64     // mean over runs of the expected reward lost in Horizon rounds
	Error      float64     // its standard error
	Nanosecond float64     // of a round, world included: median over runs
	Single     int         // runs in which one arm was played throughout
}

// Run plays the pair. Everything but the time depends on the code alone.
func (p Pair) Run() (Row, error) {
	protocol, err := p.Protocol()
	if err != nil {
		return Row{}, err
	}
	m, err := analyze.Standard().New(protocol, protocol.Arms)
	if err != nil {
		return Row{}, err
	}
	law := m.LawOver(Horizon)
	row := Row{Pair: p, Epsilon: law.Epsilon(), Rho: law.Rho()}
	var lost, took []float64
	for seed := int64(1); seed <= Seeds; seed++ {
		start := time.Now()
		regret, pulls, err := p.play(m, replay.Seed(seed))
		if err != nil {
			return Row{}, err
		}
		if slices.Max(pulls) == Horizon {
			row.Single++
		}
		took = append(took, float64(time.Since(start).Nanoseconds())/Horizon)
		lost = append(lost, regret)
	}
	slices.Sort(took)
	row.Nanosecond = (took[Seeds/2-1] + took[Seeds/2]) / 2
	row.Regret, row.Error = meanError(lost)
	return row, nil
}

// play is one run. Propensities, which a log would have, are not computed.
func (p Pair) play(m *replay.Mechanism, master [32]byte) (regret float64, pulls []int, err error) {
	w, r := open(master, p.Linear), m.NewRunner(master, experiment)
	in := &replay.Round{X: make([]float64, w.Dim())}
	pulls = make([]int, arms)
	sums := make([]float64, arms)
	for t := int64(1); t <= Horizon; t++ {
		if w.Dim() > 0 {
			w.Context(t, in.X)
		}
		if p.Scored {
			in.Scores = means(in.Scores, sums, pulls)
		}
		arm := r.Next(in)
		pulls[arm]++
		regret += w.Regret(t, arm)
		reward := w.Reward(t, arm)
		sums[arm] += reward
		r.Add(arm, reward)
		if err = r.Err(); err != nil {
			return 0, nil, err
		}
	}
	return regret, pulls, nil
}

// means writes the mean reward of every arm to dst, 1 of one that was not played.
func means(dst, sums []float64, pulls []int) []float64 {
	dst = dst[:0]
	for arm, n := range pulls {
		if n == 0 {
			dst = append(dst, 1)
		} else {
			dst = append(dst, sums[arm]/float64(n))
		}
	}
	return dst
}

// meanError returns the mean of x and its standard error.
func meanError(x []float64) (mean, se float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		se += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}

// Definition names the definition of privacy that the pair meets.
func (r Row) Definition() string {
	switch {
	case !r.Epsilon.IsInf():
		return "pure"
	case !math.IsInf(r.Rho, 1):
		return "zCDP"
	}
	return "none"
}

// EpsilonText is ε as the table shows it: exact where that is short, else
// rounded up to five digits.
func (r Row) EpsilonText() string {
	switch s := r.Epsilon.String(); {
	case r.Epsilon.IsInf():
		return "∞"
	case len(s) <= 6:
		return s
	}
	return upward(r.Epsilon.Up())
}

// RhoText is ρ as the table shows it.
func (r Row) RhoText() string {
	if math.IsInf(r.Rho, 1) {
		return "∞"
	}
	return upward(r.Rho)
}

// upward writes x ≥ 0 with five digits, never below x.
func upward(x float64) string {
	if x == 0 {
		return "0"
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-4)
	for n := math.Ceil(x / unit); ; n++ {
		s := strconv.FormatFloat(n*unit, 'g', 5, 64)
		if v, err := strconv.ParseFloat(s, 64); err == nil && v >= x {
			return s
		}
	}
}

// RegretText is the regret with its standard error.
func (r Row) RegretText() string {
	return strconv.FormatFloat(r.Regret, 'f', 0, 64) + " ± " + strconv.FormatFloat(r.Error, 'f', 0, 64)
}

// Each calls run for 0 … n−1 on all processors and keeps the results in order;
// the first error, in that order, is returned.
func Each[T any](n int, run func(i int) (T, error)) ([]T, error) {
	out, errs := make([]T, n), make([]error, n)
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				out[i], errs[i] = run(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
