package world

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/replay"
)

// half is an environment of a fair coin for each arm.
func half(k int, s scene) *staged {
	means := make([]float64, k)
	for a := range means {
		means[a] = .5
	}
	return newStaged(bernoulli{means}, s, replay.Seed(29), "e")
}

// TestEligible recomputes the arms that may be played from the stream that the
// package comment names, and holds their frequencies against the law: arm a is
// there with probability p, or alone because none is, which has probability
// (1−p)^K/K. At 5 standard errors the three comparisons together reject right
// frequencies with probability 1.8·10⁻⁶; the seed is fixed.
func TestEligible(t *testing.T) {
	const n, k, p = 20_000, 3, .3
	w := half(k, scene{eligible: p})
	stream := replay.Stream(replay.Seed(29), "world.eligible", "e", replay.NoArm)
	var there [k]float64
	var in replay.Round
	for r := int64(1); r <= n; r++ {
		w.Enter(r, &in)
		want, least, first := make([]bool, k), uint64(math.MaxUint64), 0
		none := true
		for a := range want {
			u := stream.Uint64()
			want[a] = float64(u>>11)*0x1p-53 < p
			none = none && !want[a]
			if u < least {
				least, first = u, a
			}
		}
		want[first] = want[first] || none
		if !cmp.Equal(in.Eligible, want) {
			t.Fatalf("round %d has %v, want %v", r, in.Eligible, want)
		}
		for a, can := range in.Eligible {
			if can {
				there[a]++
			}
		}
	}
	q := p + math.Pow(1-p, k)/k
	for a, c := range there {
		if z := (c - n*q) / math.Sqrt(n*q*(1-q)); !(math.Abs(z) <= 5) {
			t.Errorf("arm %d is there %.1f standard errors off", a, z)
		}
	}
	all := half(k, scene{eligible: 1})
	if all.Enter(1, &in); !cmp.Equal(in.Eligible, []bool{true, true, true}) {
		t.Errorf("with probability 1: %v", in.Eligible)
	}
}

// TestKnown: geometric delays have their mean and their probability of 0,
// rewards that never become known their frequency, and neither depends on the
// other. At 5 standard errors the three comparisons together reject right laws
// with probability 1.8·10⁻⁶; the seed is fixed.
func TestKnown(t *testing.T) {
	const n, mean, never = 40_000, 4.0, .2
	w := half(1, scene{delay: Delay{Mean: mean}, never: never})
	lost, known, zero, sum := 0.0, 0.0, 0.0, 0.0
	for r := int64(1); r <= n; r++ {
		at := w.Known(r)
		if at == replay.NeverKnown {
			lost++
			continue
		}
		if at < r {
			t.Fatalf("the reward of round %d is known after round %d", r, at)
		}
		known++
		sum += float64(at - r)
		if at == r {
			zero++
		}
	}
	within := func(what string, got, want, variance float64) {
		t.Helper()
		if z := (got - want) / math.Sqrt(variance); !(math.Abs(z) <= 5) {
			t.Errorf("%s is %.1f standard errors off", what, z)
		}
	}
	within("the number that is never known", lost, n*never, n*never*(1-never))
	within("the sum of delays", sum, known*mean, known*mean*(1+mean))
	within("the number without a delay", zero, known/(1+mean), known*mean/(1+mean)/(1+mean))
}

// TestKnownWords recomputes them from the stream that the package comment
// names: two words in every round.
func TestKnownWords(t *testing.T) {
	w := half(1, scene{delay: Delay{Mean: 4}, never: .2})
	stream := replay.Stream(replay.Seed(29), "world.known", "e", replay.NoArm)
	for r := int64(1); r <= 2000; r++ {
		never, late := float64(stream.Uint64()>>11)*0x1p-53, float64(stream.Uint64()>>11)*0x1p-53
		want := r + int64(math.Floor(math.Log(1-late)/math.Log(4.0/5)))
		if never < .2 {
			want = replay.NeverKnown
		}
		if got := w.Known(r); got != want {
			t.Fatalf("round %d: known after %d, want %d", r, got, want)
		}
	}
}

// TestDelays: special cases.
func TestDelays(t *testing.T) {
	for _, c := range []struct {
		name string
		s    scene
		want int64
	}{
		{"none", scene{}, 5},
		{"fixed", scene{delay: Delay{Mean: 7, Fixed: true}}, 12},
		{"never, and at once otherwise", scene{never: 1e-300}, 5},
	} {
		if got := half(1, c.s).Known(5); got != c.want {
			t.Errorf("%s: known after %d, want %d", c.name, got, c.want)
		}
	}
	if d := (Delay{Mean: 1e9}).of(math.MaxUint64); d < 0 || d > 1e11 {
		t.Errorf("the largest delay is %d", d)
	}
}

// TestContexts: bounded coordinates are uniform, contexts by arm come arm by
// arm from the same stream, and batches have their rounds. At 5 standard errors
// the two comparisons together reject uniform coordinates with probability
// 1.2·10⁻⁶; the seed is fixed.
func TestContexts(t *testing.T) {
	const n, l1 = 20_000, 3.0
	w := half(2, scene{dim: 3, byArm: true, l1: l1, batch: 10})
	if w.Dim() != 0 {
		t.Fatalf("there are contexts for all arms, of length %d", w.Dim())
	}
	stream := replay.Stream(replay.Seed(29), "world.context", "e", replay.NoArm)
	var in replay.Round
	sum, squares := 0.0, 0.0
	for r := int64(1); r <= n; r++ {
		w.Enter(r, &in)
		for j, x := range in.XByArm {
			if want := float64(stream.Uint64()>>11) * 0x1p-53; math.Abs(x-want) > 1e-15 { // l1/dim = 1
				t.Fatalf("round %d, coordinate %d is %v, want %v", r, j, x, want)
			}
			sum += x - .5
			squares += (x-.5)*(x-.5) - 1.0/12
		}
		if want := int32((r - 1) / 10); in.Batch != want {
			t.Fatalf("round %d is in batch %d, want %d", r, in.Batch, want)
		}
	}
	if z := sum / math.Sqrt(6*n/12.0); !(math.Abs(z) <= 5) {
		t.Errorf("coordinates are %.1f standard errors from their mean", z)
	}
	if z := squares / math.Sqrt(6*n/180.0); !(math.Abs(z) <= 5) { // var (x−½)² = 1/80 − 1/144
		t.Errorf("squares of coordinates are %.1f standard errors from their mean", z)
	}
}

// TestRegret is the loss against the best arm that may be played, given the
// context.
func TestRegret(t *testing.T) {
	w := newStaged(linear{[][]float64{{1, 0}, {0, 1}, {.5, .5}}, 1e-9, interval{0, 1}}, scene{dim: 2}, replay.Seed(1), "e")
	in := &replay.Round{X: []float64{.9, .2}}
	w.Enter(1, in)
	if got := w.Regret(1, 1); math.Abs(got-.7) > 1e-15 {
		t.Errorf("regret %v, want 0.7", got)
	}
	in.Eligible = []bool{false, true, true}
	if got := w.Regret(1, 1); math.Abs(got-.35) > 1e-15 {
		t.Errorf("regret %v among the last two, want 0.35", got)
	}
}

// TestOpen: a world without a stage pays, and loses, what it does with one.
func TestOpen(t *testing.T) {
	for name, s := range worlds() {
		law := lawOf(t, s)
		plain, world := open(law, scene{dim: 2, l1: 1}, replay.Seed(31), "e")
		if _, ok := world.(replay.Setting); ok {
			t.Fatalf("%s: a stage with nothing on it", name)
		}
		full := newStaged(law, scene{dim: 2, l1: 1}, replay.Seed(31), "e")
		x, in := make([]float64, 2), &replay.Round{X: make([]float64, 2)}
		for r := int64(1); r <= 200; r++ {
			world.Context(r, x)
			full.Context(r, in.X)
			full.Enter(r, in)
			for a := range 3 {
				if p, q := world.Reward(r, a), full.Reward(r, a); p != q {
					t.Fatalf("%s, round %d: arm %d pays %v and %v", name, r, a, p, q)
				}
				if p, q := plain.Regret(r, a), full.Regret(r, a); p != q {
					t.Fatalf("%s, round %d: arm %d loses %v and %v", name, r, a, p, q)
				}
			}
		}
	}
	for _, s := range []scene{{dim: 1, byArm: true}, {batch: 5}, {eligible: 1}, {never: .1}, {delay: Delay{Mean: 1}}} {
		if _, world := open(bernoulli{[]float64{.5}}, s, replay.Seed(1), "e"); !settles(world) {
			t.Errorf("%+v needs a stage", s)
		}
	}
}

func settles(w replay.Environment) bool {
	_, ok := w.(replay.Setting)
	return ok
}
