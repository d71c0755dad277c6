package randomization

import (
	"math"
	"math/rand/v2"
	"testing"
)

// coins plays one of two arms in every round, each with probability ½.
type coins struct{}

func (coins) Play(order []int32, draws rand.Source, played func(t, arm int)) error {
	r := rand.New(draws)
	for t := range order {
		played(t, r.IntN(2))
	}
	return nil
}

// coinLog is a log of coins over rewards that are all different.
func coinLog(seed uint64) *Log {
	const rounds = 14
	l := &Log{Arms: 2}
	r := rand.New(rand.NewPCG(seed, 3))
	for t := range rounds {
		l.Reward = append(l.Reward, math.Sqrt(float64(t))/4)
		l.Arm = append(l.Arm, int32(r.IntN(2)))
	}
	return l
}

// TestMore: where none of M runs reaches the statistic runs go on to M', p gets smaller and never
// larger, and whatever else p was it stays. The p is valid at levels that M runs cannot reach:
// of 3,000 logs in which arms pay alike at most 3,000·α + 4·√(3,000·α) reject at α (a false alarm
// of the test in about 1 of 10,000 runs of another seed).
func TestMore(t *testing.T) {
	t.Parallel()
	const logs, draws, more, h = 3000, 19, 199, 20
	smaller := 0
	var p []float64
	for seed := range uint64(logs) {
		l := coinLog(seed)
		o := Options{Draws: draws, Exceedances: h, Seed: [32]byte{byte(seed), byte(seed >> 8)}, Name: "t"}
		few, err := Test(t.Context(), l, coins{}, o)
		if err != nil {
			t.Fatal(err)
		}
		o.More, o.Jobs = more, 1+int(seed%2)
		many, err := Test(t.Context(), l, coins{}, o)
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, many.P)
		const floor = 1. / (draws + 1)
		switch {
		case few.P > floor && (many.P != few.P || many.Runs != few.Runs || many.Most != draws):
			t.Fatalf("log %d: %+v became %+v", seed, few, many)
		case many.P > few.P || many.P < 1./(more+1):
			t.Fatalf("log %d: p %g became %g", seed, few.P, many.P)
		case many.P < few.P:
			smaller++
			if want := float64(many.Exceedances+1) / (more + 1); many.Most != more || many.Runs != more || many.P != want {
				t.Fatalf("log %d: %+v, want p %g", seed, many, want)
			}
		case few.P == floor && (many.Runs != draws || many.Exceedances != 0 || !many.Vain):
			t.Fatalf("log %d: p of %d runs is told with %+v", seed, draws, many)
		}
	}
	if smaller < logs/100 {
		t.Errorf("p became smaller in %d of %d logs", smaller, logs)
	}
	for _, alpha := range []float64{.005, .01, .025, .05, .1, .25} {
		rejected := 0
		for _, v := range p {
			if v <= alpha {
				rejected++
			}
		}
		if most := logs*alpha + 4*math.Sqrt(logs*alpha); float64(rejected) > most {
			t.Errorf("at %g: %d of %d logs are rejected, at most %.0f are expected", alpha, rejected, logs, most)
		}
	}
}
