package truth

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay"
)

// deployment plays a run by hand and keeps what is logged.
type deployment struct {
	draw    *rand.Rand
	round   []int64
	action  []int
	p       []float64
	all     [][]float64 // propensities of all arms, where they are logged
	rewards []float64
	x       []float64
	draws   []int64 // by which propensities were estimated, where a log has it
}

// newDeployment has the stream of a run.
func newDeployment(run int64) *deployment {
	return &deployment{draw: rand.New(rand.NewChaCha8(replay.Seed(run)))}
}

func (d *deployment) coin(mean float64) float64 {
	if d.draw.Float64() < mean {
		return 1
	}
	return 0
}

// pick draws an arm with the given probabilities.
func (d *deployment) pick(p []float64) int {
	u := d.draw.Float64()
	for arm, of := range p {
		if u -= of; u < 0 {
			return arm
		}
	}
	for arm := len(p) - 1; ; arm-- {
		if p[arm] > 0 {
			return arm
		}
	}
}

// play logs a round.
func (d *deployment) play(arm int, p, reward float64) {
	d.round = append(d.round, int64(len(d.round)+1))
	d.action, d.p, d.rewards = append(d.action, arm), append(d.p, p), append(d.rewards, reward)
}

// chosen logs a round with the propensities of all arms.
func (d *deployment) chosen(arm int, p []float64, reward float64) {
	d.play(arm, p[arm], reward)
	d.all = append(d.all, p)
}

// log is what was kept, under the names round, action, reward, p and all.
func (d *deployment) log(labels ...string) *Log {
	actions := make([]string, len(d.action))
	for t, arm := range d.action {
		actions[t] = labels[arm]
	}
	l := (&Log{}).Put("round", d.round).Put("action", actions).Put("reward", d.rewards).Put("p", d.p)
	if d.all != nil {
		l.Put("all", d.all)
	}
	return l
}

// softmax is exp(η·S) over its sum, of the arms that may be played (none given: all).
func softmax(eta float64, sums []float64, may []bool) []float64 {
	top := math.Inf(-1)
	for i, s := range sums {
		if len(may) == 0 || may[i] {
			top = max(top, s)
		}
	}
	p, total := make([]float64, len(sums)), 0.0
	for i, s := range sums {
		if len(may) == 0 || may[i] {
			p[i] = math.Exp(eta * (s - top))
			total += p[i]
		}
	}
	for i := range p {
		p[i] /= total
	}
	return p
}
