package paper

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay"
	"banditaudit/replay/counter"
	"banditaudit/schemas"
)

// linearPolicy chooses by contexts. Rewards here have no bounds, as in the
// paper, which no protocol can declare; so these policies stand here and not in
// a protocol.
type linearPolicy interface {
	choose(x *[linearArms]vector) int
	learn(arm int, x *vector, reward float64) error
}

// evenly plays every arm with probability 1/K.
type evenly struct{ rng *rand.Rand }

func (e *evenly) choose(*[linearArms]vector) int  { return e.rng.IntN(linearArms) }
func (*evenly) learn(int, *vector, float64) error { return nil }

// oful is OFUL with one model per arm (Abbasi-Yadkori, Pál and Szepesvári 2011):
// it plays the largest ⟨θ̂_i, x⟩ + β_i·‖x‖_{V_i⁻¹} with V_i = λI + X_i'X_i and
//
//	β_i = √(d·ln((1 + N_i/λ)/δ)) + √λ
//
// for errors of sd 1 and ‖θ‖ ≤ 1. V⁻¹ is kept by Sherman and Morrison's formula.
type oful struct {
	delta, lambda float64
	wide          float64 // 1; 0 is greedy
	inverse       [linearArms]matrix
	xy            [linearArms]vector
	n             [linearArms]float64
}

func newOFUL(delta, lambda, wide float64) *oful {
	o := &oful{delta: delta, lambda: lambda, wide: wide}
	for i := range o.inverse {
		for j := range o.inverse[i] {
			o.inverse[i][j][j] = 1 / lambda
		}
	}
	return o
}

func (o *oful) choose(x *[linearArms]vector) int { return o.best(x, &o.xy) }

// best plays by the given Σ x·y.
func (o *oful) best(x, xy *[linearArms]vector) int {
	best, top := 0, math.Inf(-1)
	for i := range x {
		vx := o.inverse[i].times(&x[i])
		beta := math.Sqrt(linearDim*math.Log((1+o.n[i]/o.lambda)/o.delta)) + math.Sqrt(o.lambda)
		index := vx.dot(&xy[i]) + float64(o.wide*beta*math.Sqrt(max(vx.dot(&x[i]), 0)))
		if index > top {
			best, top = i, index
		}
	}
	return best
}

func (o *oful) learn(arm int, x *vector, reward float64) error {
	o.see(arm, x)
	for i := range x {
		o.xy[arm][i] += float64(x[i] * reward)
	}
	return nil
}

// see adds x·x' to V.
func (o *oful) see(arm int, x *vector) {
	o.n[arm]++
	vx := o.inverse[arm].times(x)
	scale := 1 / (1 + vx.dot(x))
	for i := range vx {
		for j := range vx {
			o.inverse[arm][i][j] -= float64(float64(vx[i]*vx[j]) * scale)
		}
	}
}

// clipAt is where the private policy clips rewards, on both sides.
const clipAt = 3

// linPriv is oful on private Σ x·y: the hybrid mechanism with ε for every arm
// over vectors x·y, y clipped to ±3 and ‖x‖₁ ≤ √5. Its width has no allowance
// for the noise.
type linPriv struct {
	oful

	counter counter.Counter
	bank    counter.VectorBank
	shown   [linearArms]vector
	sum     [linearArms]vector // Σ x, which is public
	pulls   []int64
	last    int
}

// linPrivCounter is the counter of one arm, ε = .0447, which is 1/√500 rounded
// down, and ‖x‖₁ ≤ √5 rounded up.
func linPrivCounter() (counter.Counter, error) {
	return counter.New(counter.Spec{Name: "hybrid", Epsilon: schemas.MustRational("0.0447").Rat(), Sensitivity: schemas.MustRational("2.2361").Rat()})
}

func newLinPriv(r *runner, c counter.Counter, setting string, replication int64) *linPriv {
	p := &linPriv{oful: *newOFUL(delta, 1, 1), counter: c, pulls: make([]int64, linearArms)}
	sources := make([]rand.Source, linearArms)
	for i := range sources {
		sources[i] = replay.Stream(r.master, replay.PurposeCounter, r.name(setting, replication), i)
	}
	p.bank = c.VectorBank(sources, linearDim)
	return p
}

func (p *linPriv) choose(x *[linearArms]vector) int { return p.best(x, &p.shown) }

// learn releases Σ x·y = 6·Σ x·u − 3·Σ x, u = (y+3)/6 in [0,1].
func (p *linPriv) learn(arm int, x *vector, reward float64) error {
	p.see(arm, x)
	p.pulls[arm]++
	p.last = arm
	unit := (min(max(reward, -clipAt), clipAt) + clipAt) / (2 * clipAt)
	var released vector
	if _, err := p.bank.Add(arm, x[:], unit, released[:]); err != nil {
		return err
	}
	for i := range x {
		p.sum[arm][i] += x[i]
		p.shown[arm][i] = float64(2*clipAt*released[i]) - float64(clipAt*p.sum[arm][i])
	}
	return nil
}
