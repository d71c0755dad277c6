package paper

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay"
	"banditaudit/replay/counter"
	"banditaudit/schemas"
)

// literal is the printed private UCB read to the letter: noise of the hybrid
// mechanism on the mean and not on the sum,
//
//	X̂_i + η + √(2·ln(t/δ)/N_i) + γ/N_i
//
// which no protocol can declare, because noise that does not shrink with N_i
// belongs to no mean of N_i rewards. It is simulated here, and nowhere else.
type literal struct {
	counter counter.Counter
	err     error
	k       int
	gamma   float64

	noisy       counter.Bank
	round       int64
	sums, noise []float64
	pulls       []float64
}

// newLiteral makes players with share ε/K per arm and the relaxation γ.
func newLiteral(k int, share string, gamma float64) func() (player, error) {
	c, err := counter.New(counter.Spec{Name: "hybrid", Epsilon: schemas.MustRational(share).Rat()})
	return func() (player, error) { return &literal{counter: c, err: err, k: k, gamma: gamma}, err }
}

// relaxation is γ = K·ln²T·ln(K·T·ln T/δ)/ε (Neel and Roth 2018, appendix).
func relaxation(k int, rounds int64, epsilon float64) float64 {
	l := math.Log(float64(rounds))
	return float64(k) * l * l * math.Log(float64(k)*float64(rounds)*l/delta) / epsilon
}

func (l *literal) begin(r *runner, setting string, replication int64) {
	sources := make([]rand.Source, l.k)
	for i := range sources {
		sources[i] = replay.Stream(r.master, replay.PurposeCounter, r.name(setting, replication), i)
	}
	l.noisy = l.counter.Bank(sources)
	l.round = 0
	l.sums, l.noise, l.pulls = make([]float64, l.k), make([]float64, l.k), make([]float64, l.k)
}

func (l *literal) next() (int, error) {
	l.round++
	best, top := 0, math.Inf(-1)
	w := 2 * math.Log(float64(l.round)/delta)
	for i, n := range l.pulls {
		if n == 0 {
			return i, nil
		}
		index := l.sums[i]/n + l.noise[i] + math.Sqrt(w/n) + l.gamma/n
		if index > top {
			best, top = i, index
		}
	}
	return best, nil
}

func (l *literal) add(arm int, reward float64) error {
	l.pulls[arm]++
	l.sums[arm] += reward
	sum, _, err := l.noisy.Add(arm, reward)
	l.noise[arm] = sum - l.sums[arm]
	return err
}
