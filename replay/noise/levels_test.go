package noise

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// Rejections says how often a test rejected.
type Rejections struct {
	Name     string // of the test, or "any" for all together
	Runs     int64
	Rejected int64
}

// Levels draws the values of a design anew under its declared law, runs times,
// and counts what Fit rejects: the six tests in their order, and any of them. It
// is the false-alarm rate of Fit on logs with these draws. Values of design are
// not read. The result is a function of the arguments.
func Levels(design []Draw, runs int64, seed uint64) []Rejections {
	src := rand.NewPCG(seed, 0x6c6576656c73)
	out := []Rejections{{Name: "scale"}, {Name: "shape"}, {Name: "sign"}, {Name: "independence"}, {Name: "growth"}, {Name: "arms"}, {Name: "any"}}
	draws := make([]Draw, len(design))
	copy(draws, design)
	for run := range runs {
		for i := range draws {
			draws[i].Value = simulated(src, &design[i])
		}
		s := salted(draws, nil, strconv.FormatInt(run, 10))
		found := s.ratios()
		anything := int64(0)
		for i, t := range tests(s, found.at) {
			out[i].Runs++
			if t.Rejected {
				out[i].Rejected++
				anything = 1
			}
		}
		out[len(out)-1].Runs++
		out[len(out)-1].Rejected += anything
	}
	return out
}

// simulated returns a draw from the declared law of d, by inversion in floating
// point: for levels, and not for privacy.
func simulated(src rand.Source, d *Draw) float64 {
	exponential := func() float64 { return -math.Log((float64(src.Uint64()>>11) + 0.5) * 0x1p-53) }
	var sum float64
	for range d.Count {
		if d.Grid == 0 {
			sum += float64(d.Scale * (exponential() - exponential()))
			continue
		}
		step := d.Grid / d.Scale
		sum += float64(d.Grid * (math.Floor(exponential()/step) - math.Floor(exponential()/step)))
	}
	return sum
}
