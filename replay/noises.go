package replay

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"banditaudit/replay/counter"
	"banditaudit/schemas"
)

// NoiseSpec names noise that a simulated deployment adds to its sums: the noise of the
// declared counter, or another.
type NoiseSpec struct {
	Catalogue *Catalogue        // Required.
	Protocol  *schemas.Protocol // Required: a counter with noise.
	Scale     *big.Rat          // of every Laplace variable, as a multiple of the declared scale; above 0. Defaults to 1.
	Rotate    int               // arm i draws from the stream of arm i+Rotate, cyclically
	Arms      int               // Required: K.
	Dim       int               // length of a context where the policy reads vectors; 0: sums
}

// Noises is noise apart from rewards: what the streams of a counter would add to
// the sums that they release. Distort takes it. It is not safe for concurrent
// use.
type Noises struct {
	counter counter.Counter
	grid    *big.Rat
	src     []rand.Source
	bank    counter.Bank       // nil for vectors
	vectors counter.VectorBank // nil for sums
	arms    []noiseOfArm
	zero    []float64                   // a feature
	anew    []float64                   // what Anew returns
	laws    map[float64]counter.Counter // by scale: fresh draws
}

// noiseOfArm is what the streams of one arm have released last.
type noiseOfArm struct {
	fed, rows int64
	noise     []float64
}

// Open returns the noise of an experiment, from the streams of the arms'
// counters. It fails as New does where the counter cannot be built.
func (s *NoiseSpec) Open(master [32]byte, experiment string) (*Noises, error) {
	j := &judge{arms: s.Arms}
	d := &declaration{Protocol: s.Protocol, catalogue: s.Catalogue, kind: s.Catalogue.Policy(s.Protocol.Policy.Name), arms: s.Arms}
	spec := d.counterSpec(j)
	if s.Scale != nil {
		one := big.NewRat(1, 1)
		if spec.Sensitivity == nil {
			spec.Sensitivity = one
		}
		if spec.Bound == nil {
			spec.Bound = new(big.Rat).Set(spec.Sensitivity) // rows are what they were
		}
		spec.Sensitivity = new(big.Rat).Mul(spec.Sensitivity, s.Scale)
	}
	built, err := counter.NewOf(s.Catalogue.Counters, spec)
	j.take(err, d.Counter)
	if err = j.err(); err != nil {
		return nil, err
	}
	n := &Noises{counter: built, grid: spec.Grid, arms: make([]noiseOfArm, s.Arms), zero: make([]float64, s.Dim), anew: make([]float64, max(s.Dim, 1)), laws: map[float64]counter.Counter{}}
	for arm := range s.Arms {
		n.src = append(n.src, Stream(master, PurposeCounter, experiment, (arm+s.Rotate)%s.Arms))
		n.arms[arm].noise = make([]float64, max(s.Dim, 1))
	}
	if s.Dim == 0 {
		n.bank = built.Bank(n.src)
	} else {
		n.vectors = built.VectorBank(n.src, s.Dim)
	}
	return n, nil
}

// After returns the noise in what the arm's streams have released last once so
// many rows have arrived, one number or one for each coordinate, and how many
// rows are in that: 0 before the first release. It is drawn as a run of the
// mechanism draws it. arrived never decreases. The slice is only read, and
// changes with the arm's next call.
func (n *Noises) After(arm int, arrived int64) (noise []float64, rows int64, err error) {
	a := &n.arms[arm]
	for ; a.fed < arrived; a.fed++ {
		if n.vectors != nil {
			a.rows, err = n.vectors.Add(arm, n.zero, 0, a.noise)
		} else {
			a.noise[0], a.rows, err = n.bank.Add(arm, 0)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("replay: arm %d: %w", arm, err)
		}
	}
	return a.noise, a.rows, nil
}

// Anew returns fresh noise of the law that is in a released sum of the given number of
// rows: for each coordinate as many new Laplace variables as are in it, from the arm's
// stream. Their scale is rounded to 40 bits. The slice is only read, and only until the
// next call.
//
// Special cases are:
//
//	rows < 1 gives 0
func (n *Noises) Anew(arm int, rows int64) ([]float64, error) {
	clear(n.anew)
	for i := range n.anew {
		for _, of := range n.counter.Noise(rows) {
			v, err := n.draw(n.src[arm:arm+1], of)
			if err != nil {
				return nil, fmt.Errorf("replay: arm %d: %w", arm, err)
			}
			n.anew[i] += v
		}
	}
	return n.anew, nil
}

// draw returns the sum of of.Count new variables: what the counter laplace releases of as
// many rows without a reward.
func (n *Noises) draw(src []rand.Source, of counter.Noise) (sum float64, err error) {
	law, ok := n.laws[of.Scale]
	if !ok {
		if law, err = n.law(of.Scale); err != nil {
			return 0, err
		}
		n.laws[of.Scale] = law
	}
	bank := law.Bank(src)
	for range of.Count {
		if sum, _, err = bank.Add(0, 0); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// law returns the counter whose noise of a row has a scale, of 40 significant
// bits, because the sampler's integers hold no more than 56.
func (n *Noises) law(scale float64) (counter.Counter, error) {
	fraction, exponent := math.Frexp(scale)
	rounded := new(big.Rat).SetFloat64(math.Ldexp(math.Round(math.Ldexp(fraction, 40)), exponent-40))
	if rounded == nil || rounded.Sign() <= 0 {
		return nil, fmt.Errorf("noise of scale %g cannot be drawn", scale)
	}
	return counter.New(counter.Spec{Name: "laplace", Epsilon: rounded.Inv(rounded), Grid: n.grid})
}

// Recover returns what tells the draws of one stream of the declared counter
// apart: of an arm's sums, or of one coordinate of its vectors. It is nil where
// the policy reads no rewards, or the counter adds no noise.
func (m *Mechanism) Recover() counter.Recovery {
	if m.counter == nil || !m.noisy {
		return nil
	}
	return m.counter.Recover()
}

// Noise returns the multiset of Laplace scales that the declared counter adds to
// a sum of n rows, or to each coordinate of one; nil where it adds none.
func (m *Mechanism) Noise(n int64) []counter.Noise {
	if m.counter == nil {
		return nil
	}
	return m.counter.Noise(n)
}

// Grid returns the step of the lattice that released sums lie on, of rewards
// rescaled to [0,1]; 0 where there is none.
func (m *Mechanism) Grid() float64 {
	if c, ok := m.counter.(interface{ Grid() float64 }); ok {
		return c.Grid()
	}
	return 0
}

// InRelease returns how many rows are in what each arm's counter had released
// when the policy last learned. Where that is what it was, nothing has been
// released since. The slice is only read, and only until the next call of Next
// or Add.
func (r *run) InRelease() []int64 { return r.state.Pulls }

// Known returns how many rows have arrived at each arm's stream by the round
// that Next entered, whether or not the policy has learned of them. The slice is
// only read, and only until the next call of Next or Add.
func (r *run) Known() []int64 { return r.arrived }
