package hypothesis

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// watched are rewards in [lo, hi] and what bets on them held at the times of BetLooks.
func watched(lo, hi float64, y ...float64) (*Betted, *BetLooks) {
	l := NewBetLooks(lo, hi)
	for _, v := range y {
		l.Add(v)
	}
	return betted(lo, hi, y...), l
}

// rewardsOf are those of the reference, by name.
func rewardsOf(name string, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		t := i + 1
		switch {
		case name == "parts":
			out[i] = float64(t*7%16+1) / 32
		case name == "coins" && t*t%10 < 4, name == "early" && (t <= 3 || t%5 == 0):
			out[i] = 1
		}
	}
	return out
}

// mpmath 1.3.0 at 40 digits: testdata/reference/bets_running.py,
// python3 bets_running.py > bets_running.csv.
func TestRunningBetsReference(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../../testdata/reference/bets_running.csv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		parts := strings.Split(strings.TrimSpace(line), ",")
		var v []float64
		for _, text := range parts[1:] {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		if parts[0] == "times" {
			for i, n := range []int64{100_000, 100_000_000} {
				l := NewBetLooks(0, 1)
				for l.next <= n { // as after so many rounds
					l.bets.N = l.next
					l.look()
				}
				if len(l.looks) != int(v[i]) {
					t.Errorf("%d looks in %d rounds, want %g", len(l.looks), n, v[i])
				}
			}
			continue
		}
		arm, looks := watched(0, 1, rewardsOf(parts[0], int(v[0]))...)
		for i, alt := range []Alternative{TwoSided, Greater, Less} {
			got := RunningBets(arm, looks, v[1], alt, math.Log(.05))
			if want := min(0, -v[2+i]); math.Abs(got.LogP-want) > 1e-10*(1+math.Abs(want)) {
				t.Errorf("%s, %v: ln p = %.15g, want %.15g", parts[0], alt, got.LogP, want)
			}
		}
		got := RunningBets(arm, looks, v[1], TwoSided, math.Log(.05))
		if math.Abs(got.Lo-v[6]) > 3e-12 || math.Abs(got.Hi-v[7]) > 3e-12 || got.Lo > v[6] || got.Hi < v[7] {
			t.Errorf("%s: [%.15g, %.15g], want [%.15g, %.15g]", parts[0], got.Lo, got.Hi, v[6], v[7])
		}
		if end := Bets(arm, v[1], TwoSided, 0); math.Abs(end.LogP-min(0, -v[5])) > 1e-10*(1+math.Abs(v[5])) {
			t.Errorf("%s: ln p at the end = %.15g, want %.15g", parts[0], end.LogP, -v[5])
		}
	}
}

// Interval and p agree, both are those of the last look or sharper, on every scale of the
// reward, and none is left by rewards that no one mean fits.
func TestRunningBetsProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 300).Draw(t, "rewards")
		alt := rapid.SampledFrom([]Alternative{TwoSided, Greater, Less}).Draw(t, "side")
		value, logAlpha := rapid.Float64Range(0, 1).Draw(t, "value"), -rapid.Float64Range(.5, 8).Draw(t, "minus ln alpha")
		arm, looks := watched(0, 1, y...)
		got, end := RunningBets(arm, looks, value, alt, logAlpha), Bets(arm, value, alt, logAlpha)
		if got.LogP > end.LogP+1e-9 || got.Lo < end.Lo-1e-9 || got.Hi > end.Hi+1e-9 {
			t.Fatalf("%+v is not within %+v", got, end)
		}
		out := value < got.Lo || value > got.Hi
		if out && got.LogP > logAlpha || !out && !math.IsNaN(got.Lo) && got.LogP < logAlpha && min(math.Abs(value-got.Lo), math.Abs(value-got.Hi)) > 1e-11 {
			t.Fatalf("%g in [%g, %g] has ln p = %g at %g", value, got.Lo, got.Hi, got.LogP, logAlpha)
		}
		wide := make([]float64, len(y))
		for i, v := range y {
			wide[i] = 8*v - 2
		}
		arm, looks = watched(-2, 6, wide...)
		if w := RunningBets(arm, looks, 8*value-2, alt, logAlpha); math.Abs(w.LogP-got.LogP) > 1e-9 || math.Abs(w.Lo-(8*got.Lo-2)) > 1e-8 {
			t.Fatalf("on [−2, 6]: %+v, want %+v", w, got)
		}
	})
	moved := rewardsOf("nothing", 300)
	for range 300 {
		moved = append(moved, 1)
	}
	arm, looks := watched(0, 1, moved...)
	if r := RunningBets(arm, looks, .5, TwoSided, math.Log(.05)); !math.IsNaN(r.Lo) || !math.IsNaN(r.Hi) || len(r.Warnings) != 1 || r.LogP > math.Log(.05) {
		t.Errorf("a mean of 0, then 1: %+v", r)
	}
}

// A reward that is missing takes from both sides, and a round more is one more look.
func TestRunningBetsMissing(t *testing.T) {
	t.Parallel()
	arm, looks := watched(0, 1, rewardsOf("coins", 100)...)
	for range 21 {
		looks.Miss()
	}
	arm.N += 21
	if n := len(looks.looks); looks.looks[n-1].n != 118 || looks.looks[n-1].low != arm.Low() {
		t.Errorf("last look after %g rounds", looks.looks[n-1].n)
	}
	with, without := RunningBets(arm, looks, .3, Greater, -3), Bets(arm, .3, Greater, -3)
	if with.Hi != 1 || with.Lo < without.Lo {
		t.Errorf("%+v and %+v", with, without)
	}
	if r := RunningBets(betted(0, 1), NewBetLooks(0, 1), .5, TwoSided, -3); r.LogP != 0 || r.Lo != 0 || r.Hi != 1 {
		t.Errorf("without rewards: %+v", r)
	}
	if r := RunningBets(arm, looks, 2, TwoSided, -3); !math.IsNaN(r.LogP) {
		t.Errorf("a value beyond the range: %+v", r)
	}
}

// Rewards of one mean whose spread follows the rewards before: the mean is left out by
// the running interval in at most α of logs. In 2,000 logs at .1, 243 or more have
// probability 10⁻³.
func TestRunningBetsLevel(t *testing.T) {
	t.Parallel()
	const logs, rounds = 2000, 200
	rng, missed, sharper := rand.New(rand.NewPCG(22, 1)), 0, 0
	for range logs {
		y := make([]float64, rounds)
		for i := range y {
			spread := .4
			if i > 0 && y[i-1] > .4 {
				spread = .1
			}
			y[i] = .4 + spread*(2*float64(rng.IntN(2))-1)
		}
		arm, looks := watched(0, 1, y...)
		end := lookAt(&arm.Bets)
		running, last := most(append(looks.looks, end), TwoSided, .4), most([]look{end}, TwoSided, .4)
		if running >= -math.Log(.1) {
			missed++
		}
		if running > last {
			sharper++
		}
	}
	if missed >= 243 || missed == 0 || sharper == 0 {
		t.Errorf("missed in %d of %d logs, sharper in %d", missed, logs, sharper)
	}
}
