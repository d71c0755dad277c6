package replay

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas"
)

// noisy are the counters that add noise.
func noisy() []string {
	var names []string
	for _, d := range Standard().Counters {
		if d.Noise {
			names = append(names, d.Name)
		}
	}
	return names
}

// noiseProtocol declares ucb, or linucb where contexts have numbers, on a
// counter.
func noiseProtocol(tb rapid.TB, sums string, epsilon int64, d int) *schemas.Protocol {
	tb.Helper()
	c := &schemas.Counter{Name: sums, Epsilon: rationalOf(tb, strconv.FormatInt(epsilon, 10)+"/4"), Horizon: 400}
	p := &schemas.Protocol{
		Policy: &schemas.Policy{Name: "ucb", Own: schemas.Values{"width": width(.05)}}, Counter: c,
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	if d > 0 {
		p.Policy = &schemas.Policy{Name: "linucb", Own: schemas.Values{"lambda": 1.0, "noise_sd": 1.0, "theta_bound": 1.0, "width": width(.05), "context_l1": rationalOf(tb, "2")}}
	}
	return p
}

func rationalOf(tb rapid.TB, text string) schemas.Rational {
	tb.Helper()
	r, err := schemas.ParseRational(text)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func width(delta float64) schemas.Values { return schemas.Values{"delta": delta} }

// TestNoisesAreThoseOfARun: what a seeded run releases, less what one without
// noise does, is what After returns, to the last bit; with the streams rotated,
// it is that of the next arm.
func TestNoisesAreThoseOfARun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sums := rapid.SampledFrom(noisy()).Draw(t, "counter")
		d := rapid.SampledFrom([]int{0, 2}).Draw(t, "d")
		p := noiseProtocol(t, sums, rapid.Int64Range(1, 40).Draw(t, "4ε"), d)
		m, err := Standard().New(p, []string{"a", "b", "c"})
		if err != nil {
			t.Fatal(err)
		}
		master, rotate := Seed(rapid.Int64().Draw(t, "seed")), rapid.IntRange(0, 2).Draw(t, "rotate")
		noises, err := (&NoiseSpec{Catalogue: Standard(), Protocol: p, Rotate: rotate, Arms: 3, Dim: d}).Open(master, "e")
		if err != nil {
			t.Fatal(err)
		}
		run, silent := m.NewRunner(master, "e"), m.NewSilent(master, "e")
		step := func(arm int, y float64) {
			in := &Round{}
			if d > 0 {
				in.X = []float64{y, 1 - y}
			}
			run.Next(in)
			silent.Next(in)
			run.Add(arm, y)
			silent.Add(arm, y)
		}
		// The same arm sequence for all arms, so that rotated streams have as many rows.
		for i, y := range rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 60).Draw(t, "rewards") {
			for arm := range 3 {
				step(arm, y)
			}
			if i%3 != 0 { // After may leave rows out
				continue
			}
			run.Next(contextOf(d))
			silent.Next(contextOf(d))
			with, without := run.Exact(), silent.Exact()
			per := len(with) / 3
			for arm := range 3 {
				noise, rows, err := noises.After((arm-rotate+3)%3, silent.Arrived()[arm])
				if err != nil {
					t.Fatal(err)
				}
				for j := range per {
					if want := with[arm*per+j] - without[arm*per+j]; noise[j] != want {
						t.Fatalf("%s, arm %d, coordinate %d of %d rows: %v, want %v", sums, arm, j, rows, noise[j], want)
					}
				}
			}
			run.Add(0, 0)
			silent.Add(0, 0)
			for arm := 1; arm < 3; arm++ {
				step(arm, 0)
			}
		}
		if err := run.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

func contextOf(d int) *Round {
	if d == 0 {
		return nil
	}
	return &Round{X: make([]float64, d)}
}

// TestNoisesAnew: fresh noise of a sum of n rows has the variance that is
// declared for it, times the square of the scale, and neither it nor its
// successive values correlate. With m draws of kurtosis at most 6 the mean square is
// off by √(5/m) of itself, and the lag product by √(1/m); at 5.5 standard
// deviations the false-alarm rate is below 1e-6 for all together, and the seed
// is fixed.
func TestNoisesAnew(t *testing.T) {
	const draws = 4000
	for _, sums := range noisy() {
		for _, scale := range []*big.Rat{nil, big.NewRat(1, 2), big.NewRat(9, 10)} {
			t.Run(fmt.Sprintf("%s × %v", sums, scale), func(t *testing.T) {
				p := noiseProtocol(t, sums, 3, 0)
				noises, err := (&NoiseSpec{Catalogue: Standard(), Protocol: p, Scale: scale, Arms: 2}).Open(Seed(4), "e")
				if err != nil {
					t.Fatal(err)
				}
				m, err := Standard().New(p, []string{"a", "b"})
				if err != nil {
					t.Fatal(err)
				}
				const rows = 21 // 1 0101; 3 digits of ±1 and more in every tree
				want := 0.0
				for _, of := range m.counter.Noise(rows) {
					want += 2 * of.Scale * of.Scale * float64(of.Count)
				}
				if scale != nil {
					f, _ := scale.Float64()
					want *= f * f
				}
				squares, lags, before := 0.0, 0.0, 0.0
				for range draws {
					v, err := noises.Anew(1, rows)
					if err != nil {
						t.Fatal(err)
					}
					squares += v[0] * v[0]
					lags += v[0] * before
					before = v[0]
				}
				if z := (squares/draws/want - 1) / math.Sqrt(5.0/draws); !(math.Abs(z) < 5.5) {
					t.Errorf("mean square %v, want %v: %.1f standard deviations", squares/draws, want, z)
				}
				if z := lags / draws / want * math.Sqrt(draws); !(math.Abs(z) < 5.5) {
					t.Errorf("lag product %v: %.1f standard deviations", lags/draws, z)
				}
			})
		}
	}
}

// TestNoisesFaults: what cannot be drawn is an error, not a panic.
func TestNoisesFaults(t *testing.T) {
	p := noiseProtocol(t, "binary", 4, 0)
	for _, scale := range []*big.Rat{new(big.Rat), big.NewRat(-1, 2)} {
		if _, err := (&NoiseSpec{Catalogue: Standard(), Protocol: p, Scale: scale, Arms: 1}).Open(Seed(1), "e"); err == nil {
			t.Errorf("scale %v: no error", scale)
		}
	}
	noises, err := (&NoiseSpec{Catalogue: Standard(), Protocol: p, Arms: 1}).Open(Seed(1), "e")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := noises.Anew(0, 0); err != nil || v[0] != 0 {
		t.Errorf("no rows: noise %v, error %v", v, err)
	}
	if _, _, err := noises.After(0, 401); err == nil {
		t.Error("more rows than the horizon: no error")
	}
}
