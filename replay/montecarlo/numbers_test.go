package montecarlo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbered are shares of laws of four arms, of 50 to 10,000 draws, another number
// for every update; said is what is told of it.
func numbered(src *rand.Rand, laws [][]float64, law Law, said float64) *Shares {
	s := NewShares(4, 0x1p-50, law)
	for u, p := range laws {
		n := math.Round(50 * math.Pow(200, src.Float64()))
		s.Add(int64(u), multinomial(src, int(n), p), p, said*n)
	}
	return s
}

// Of 600 honest logs each test rejects at most what its level allows: more than 4 have
// probability 4·10⁻⁴ at .001. Their scores are standard normal, by 5 standard errors.
func TestHonestNumbersPass(t *testing.T) {
	t.Parallel()
	logs := 600
	if testing.Short() {
		logs = 200
	}
	src := rand.New(rand.NewPCG(11, 12))
	together, cells, scores, square := 0, 0, 0, 0.0
	for range logs {
		laws := some(src, 60)
		s := numbered(src, laws, Every, 1)
		d, err := s.Redraw(t.Context(), 0, Redraws)
		if err != nil {
			t.Fatal(err)
		}
		if d.P < TogetherLevel {
			together++
		}
		if w := s.Cells(0); w.Rejected() {
			cells++
		}
		for i, o := range s.Others(nil) {
			z := o.Score.Z(1, 0)
			if math.Abs(z) > Critical(9, ScoreLevel) {
				scores++
			}
			if i == 0 {
				square += z * z
			}
		}
		if off, _, _ := s.Off(0); off > 0 || !s.OnTheirs(s.Tau) {
			t.Errorf("%d rows are off the lattice", off)
		}
	}
	if together > 4 || cells > 4 || scores > 4 {
		t.Errorf("%d by D, %d by cells, %d by scores of %d honest logs", together, cells, scores, logs)
	}
	near(t, "the mean of z²", square/float64(logs), 1, 5*math.Sqrt(2/float64(logs)))
	t.Logf("%d by D, %d by cells, %d by scores of %d honest logs", together, cells, scores, logs)
}

// Shares whose number of draws is said to be twice what it was have twice the D, and
// nearly all logs of 60 updates are rejected.
func TestTwiceTheNumberIsTold(t *testing.T) {
	t.Parallel()
	src, found := rand.New(rand.NewPCG(13, 14)), 0
	const logs = 8
	for range logs {
		d, err := numbered(src, some(src, 60), Every, 2).Redraw(t.Context(), 0, Redraws)
		if err != nil {
			t.Fatal(err)
		}
		if d.P < TogetherLevel {
			found++
		}
	}
	if found < logs-1 {
		t.Errorf("%d of %d logs are rejected", found, logs)
	}
}

// E[N·Q] is ν for every update, and Var[N·Q] what variance says, whatever N is: by
// enumeration of two updates of 2 and of 3 draws.
func TestMeanOfNumbersByEnumeration(t *testing.T) {
	p := []float64{.5, .3, .2}
	mean, square, all := 0.0, 0.0, 0.0
	each := func(n int, to func(chance, nq float64)) {
		for a := range n + 1 {
			for b := range n + 1 - a {
				c := n - a - b
				ways := factorial(n) / (factorial(a) * factorial(b) * factorial(c))
				chance := ways * math.Pow(p[0], float64(a)) * math.Pow(p[1], float64(b)) * math.Pow(p[2], float64(c))
				q, _ := statistic([]float64{float64(a) / float64(n), float64(b) / float64(n), float64(c) / float64(n)}, p)
				to(chance, float64(n)*q)
			}
		}
	}
	each(2, func(one, first float64) {
		each(3, func(two, second float64) {
			all += one * two
			mean += one * two * (first + second)
			square += one * two * (first + second) * (first + second)
		})
	})
	near(t, "the probability", all, 1, 1e-12)
	near(t, "E[D]", mean, 4, 1e-12)
	near(t, "Var[D]", square-mean*mean, variance(p, 2)+variance(p, 3), 1e-12)
}

// One draw of equally likely arms has D = ν whatever is drawn, which is no evidence.
func TestOneDrawOfEquallyLikelyArms(t *testing.T) {
	t.Parallel()
	src, law := rand.New(rand.NewPCG(1, 2)), []float64{.25, .25, .25, .25}
	s := NewShares(4, 0x1p-50, SizeBiased)
	for u := range 500 {
		s.Add(int64(u), multinomial(src, 1, law), law, 1)
	}
	d, err := s.Redraw(t.Context(), 0, Redraws)
	if w := s.Cells(0); err != nil || d.P < 1 || d.Closer || w.Rejected() {
		t.Errorf("%+v, %+v, %v", d, w, err)
	}
}

// Rows of one law and one share with another number of draws are another update: of
// the played arm too.
func TestAnotherNumberIsAnotherUpdate(t *testing.T) {
	t.Parallel()
	p := []float64{.5, .3, .2}
	all, one := NewShares(3, 0x1p-50, SizeBiased), NewShares(3, 0x1p-50, SizeBiased)
	for row, n := range []float64{10, 10, 20, 20, 100} {
		all.Add(int64(row), []float64{.5, .3, .2}, p, n)
		one.AddOne(int64(row), 0, .5, p, n)
	}
	for _, s := range []*Shares{all, one} {
		if seen, kept := s.Updates(); seen != 3 || kept != 3 {
			t.Errorf("%d updates, %d kept", seen, kept)
		}
		if n := s.Numbers(); n != (Numbers{10, 20, 100}) {
			t.Errorf("%+v", n)
		}
	}
}

// The share of the other of two arms is 1 less that of the played one but for the
// last bits, of float32 too: rows of one update stay one, and one that is drawn anew
// is another.
func TestTwoArmsAreOneUpdate(t *testing.T) {
	t.Parallel()
	p, two := []float64{.4, .6}, NewShares(2, 0x1p-50, SizeBiased)
	for x := range 999 {
		share, other := float64(x+1)/1000, float64(999-x)/1000
		for i, q := range [][]float64{
			{share, 1 - share}, {1 - other, other}, {float64(float32(share)), 1 - float64(float32(share))}, {1 - float64(float32(other)), float64(float32(other))},
		} {
			two.AddTwo(int64(4*x+i), q, p, 1000)
		}
	}
	if seen, _ := two.Updates(); seen != 999 {
		t.Errorf("%d updates", seen)
	}
}

func ExampleShares_Numbers() {
	s, p := NewShares(2, 0x1p-50, Every), []float64{.4, .6}
	for row, n := range []float64{50, 100, 10_000} {
		s.Add(int64(row), []float64{.38, .62}, p, n)
	}
	fmt.Printf("%+v\n", s.Numbers())
	// Output: {Least:50 Median:100 Most:10000}
}

// TestOwn: the number of an update is that of its shares in lowest terms, also
// where it is large; what was computed is a share of none, and few probabilities
// say nothing.
func TestOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q    []float64
		want float64
	}{
		{[]float64{.96, .02, .02}, 50},
		{[]float64{.3292, .3391, .3317}, 10_000},
		{[]float64{1, 0}, 1},
		{[]float64{1.0 / 3, 2.0 / 3}, 3},
		{[]float64{48_271.0 / 99_991, 51_720.0 / 99_991}, 99_991},
		{[]float64{1 / math.Pi, 1 - 1/math.Pi}, 0},
		{[]float64{.4999999, .5000001}, 0},
	} {
		if got := ownNumber(c.q, 0x1p-50); got != c.want {
			t.Errorf("%v: %v, want %v", c.q, got, c.want)
		}
	}
	law, s := []float64{.2, .3, .5}, NewShares(3, 0x1p-50, Seen)
	for i := range 40 {
		n := float64(200 + 13*i)
		a, b := math.Round(.2*n)+float64(i%5), math.Round(.3*n)-float64(i%3)
		s.Add(int64(i), []float64{a / n, b / n, (n - a - b) / n}, law, 0)
	}
	if s.Give(s.Own(0x1p-50)); s.Numbers().Most > 707 || s.Numbers().Most < 600 {
		t.Errorf("%+v", s.Numbers())
	}
	if s.Forget(); s.Numbers() != (Numbers{}) {
		t.Errorf("%+v", s.Numbers())
	}
	few := NewShares(3, 0x1p-50, Seen)
	for i := range 40 {
		few.Add(int64(i), [][]float64{{.5, .25, .25}, {.25, .25, .5}}[i%2], law, 0)
	}
	if few.Own(0x1p-50) != nil {
		t.Error("two laws in turn are taken for shares of draws")
	}
}

// TestSteady: shares of 100 and of 10,000 draws in turn, taken for those of one
// number, lean beyond a standard normal, and not in units of what updates add. Of 150
// logs at most 2 lie beyond 3.29: more have probability 5·10⁻⁴ at a level of .001.
func TestSteady(t *testing.T) {
	t.Parallel()
	rng, p, h := rand.New(rand.NewPCG(5, 5)), []float64{.2, .3, .5}, []float64{.25, .3, .45}
	plain, steady := 0, 0
	for range 150 {
		var s Score
		sum, q := 0.0, make([]float64, 3)
		for range 60 {
			n := []int{100, 10_000}[rng.IntN(2)]
			clear(q)
			for range n {
				switch u := rng.Float64(); {
				case u < .2:
					q[0] += 1 / float64(n)
				case u < .5:
					q[1] += 1 / float64(n)
				default:
					q[2] += 1 / float64(n)
				}
			}
			for a := range q {
				sum += (q[a] - p[a]) * (q[a] - p[a]) / p[a]
			}
			s.Add(q, p, h, 0, 0)
		}
		if math.Abs(s.Z(10_000, 0)) > 3.29 {
			plain++
		}
		if math.Abs(s.Steady(0)) > 3.29 {
			steady++
		}
	}
	if steady > 2 || plain < 38 {
		t.Errorf("%d, and by one number %d", steady, plain)
	}
}

// TestLowest: shares as float32 have the number that they are of; probabilities that
// are of none are not taken for shares; what is rounded can be of no more than it is.
func TestLowest(t *testing.T) {
	t.Parallel()
	const single = 0x1p-25
	rng, law := rand.New(rand.NewPCG(7, 7)), []float64{.1, .2, .3, .4}
	shares, computed, written := NewShares(4, single, Seen), NewShares(4, single, Seen), NewShares(4, .0005, Seen)
	var of []float64
	for i := range int64(20) {
		n, q := float64(50+rng.IntN(9_950)), make([]float64, 4)
		left := n
		for a := range 3 {
			q[a] = math.Round(n*law[a]) + float64(rng.IntN(5)) - 2
			left -= q[a]
		}
		q[3] = left
		c := []float64{.1 + .1*rng.Float64(), .2 + .1*rng.Float64(), .1 + .2*rng.Float64(), 0}
		c[3] = 1 - c[0] - c[1] - c[2]
		w := make([]float64, 4)
		for a := range q {
			q[a] = float64(float32(q[a] / n))
			c[a] = float64(float32(c[a]))
			w[a] = math.Round(1000*q[a]) / 1000
		}
		of = append(of, n)
		shares.Add(i, q, law, 0)
		computed.Add(i, c, law, 0)
		written.Add(i, w, law, 0)
	}
	numbers, sure := shares.Lowest(single)
	for i, n := range numbers {
		if n > of[i] || math.Mod(of[i], n) != 0 {
			t.Errorf("update %d: %g of %g draws", i, n, of[i])
		}
	}
	if !sure {
		t.Error("shares as float32 are taken for chance")
	}
	if _, sure := computed.Lowest(single); sure {
		t.Error("what is computed is taken for shares")
	}
	numbers, _ = written.Lowest(.0005)
	for i, n := range numbers {
		if n > of[i] {
			t.Errorf("update %d, rounded: at least %g of %g draws", i, n, of[i])
		}
	}
}

// TestNumbersOfThePlayedArm: the shares of the arms that were played between two
// updates have one number of draws together, and each its own where an arm comes back
// with another share, so that rows may have draws of their own.
func TestNumbersOfThePlayedArm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		back float64 // the share with which arm 0 comes back in the last update
		want []float64
	}{
		{"one number", 10. / 54, []float64{6, 6, 6}},
		{"by themselves", 11. / 54, []float64{2, 3, 2}},
	} {
		s := NewShares(3, 0x1p-50, Seen)
		row := int64(0)
		add := func(arm int, q float64, p []float64) {
			s.AddOne(row, arm, q, p, 0)
			row++
		}
		first := []float64{.5, .3, .2}
		add(0, 1./2, first)
		add(1, 1./3, first)
		add(0, 1./2, first)
		add(2, 1./2, first) // no share beside the others, which the numbers do not ask
		for i := 1; i < 10; i++ {
			p := []float64{.2 + float64(i)/100, .5, .3 - float64(i)/100}
			n := float64(45 + i)
			add(0, 10/n, p)
			add(1, 21/n, p)
			if i == 9 {
				add(0, c.back, p)
			} else {
				add(0, 10/n, p)
			}
		}
		for by, tau := range map[string]float64{"Own": 0x1p-50, "Lowest": 0x1p-48} {
			numbers := s.Own(tau)
			if by == "Lowest" {
				numbers, _ = s.Lowest(tau)
			}
			if len(numbers) < 3 || !slices.Equal(numbers[:3], c.want) {
				t.Errorf("%s, %s: %v", c.name, by, numbers)
			}
		}
	}
}

// TestSharesOfThePlayedArmAreNotRejected: held against the fewest draws of every update,
// none of 300 honest logs is rejected (at a level of 0.0005 each that is so with a
// probability of at least 0.86; the seed is fixed), and shares of another law are.
func TestSharesOfThePlayedArmAreNotRejected(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(27, 9))
	log := func(off float64) bool {
		s := NewShares(3, .00005, Seen)
		s.Least = true
		row := int64(0)
		for range 20 {
			a, b := .2+.3*rng.Float64(), .1+.2*rng.Float64()
			p, n := []float64{a, b, 1 - a - b}, []int{50, 300, 4000}[rng.IntN(3)]
			var counts [3]float64
			for range n {
				u := rng.Float64()
				switch {
				case u < a+off:
					counts[0]++
				case u < a+b+off:
					counts[1]++
				default:
					counts[2]++
				}
			}
			for range 20 {
				arm, u := 0, rng.Float64()*float64(n)
				for arm < 2 && u >= counts[arm] {
					u -= counts[arm]
					arm++
				}
				s.AddOne(row, arm, math.Round(1e4*counts[arm]/float64(n))/1e4, p, 0)
				row++
			}
		}
		numbers, _ := s.Lowest(.00005)
		s.Give(numbers)
		w := s.Cells(0)
		return w.Rejected()
	}
	alarms := 0
	for range 300 {
		if log(0) {
			alarms++
		}
	}
	if alarms > 0 {
		t.Errorf("%d of 300 honest logs are rejected", alarms)
	}
	for i := range 10 {
		if !log(.2) {
			t.Errorf("log %d of another law is not rejected", i)
		}
	}
}
