package randomization

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ucb1 plays by S/N + √(c·ln t/N), arms first in their order, the first of equals.
type ucb1 struct {
	arms   int
	c      float64
	reward []float64
}

func (u ucb1) Play(order []int32, _ rand.Source, played func(t, arm int)) error {
	n, s := make([]float64, u.arms), make([]float64, u.arms)
	for t := range order {
		arm, best := 0, math.Inf(-1)
		for a := range n {
			index := math.Inf(1)
			if n[a] > 0 {
				index = s[a]/n[a] + math.Sqrt(u.c*math.Log(float64(t+1))/n[a])
			}
			if index > best {
				arm, best = a, index
			}
		}
		n[arm]++
		s[arm] += u.reward[order[t]]
		played(t, arm)
	}
	return nil
}

func bits(s string) []float64 {
	out := make([]float64, len(s))
	for i, c := range s {
		out[i] = float64(c - '0')
	}
	return out
}

func armsOf(s string) []int32 {
	out := make([]int32, len(s))
	for i, c := range s {
		out[i] = c - '1'
	}
	return out
}

// orders goes through all orders of 0/1 records within groups that differ, and says
// which share of them has a statistic at least as large.
func exact(t *testing.T, l *Log, u ucb1) float64 {
	t.Helper()
	mean := l.means()[0]
	at := func(y []float64) float64 {
		log := *l
		log.Reward = y
		sums := newTally(&log)
		order := make([]int32, len(y))
		for i := range order {
			order[i] = int32(i)
		}
		v := u
		v.reward = y
		_ = v.Play(order, nil, func(round, arm int) { sums.add(arm, round) })
		return Spread(sums.n, sums.s, mean)
	}
	q := at(l.Reward)
	var all, reached int
	ones := map[int32]int{}
	for i, y := range l.Reward {
		ones[l.Groups[i]] += int(y)
	}
	for mask := range 1 << len(l.Reward) {
		y := make([]float64, len(l.Reward))
		left := map[int32]int{}
		for i := range y {
			y[i] = float64(mask >> i & 1)
			left[l.Groups[i]] += int(y[i])
		}
		same := true
		for g, n := range ones {
			same = same && left[g] == n
		}
		if !same {
			continue
		}
		all++
		if at(y) >= q-1e-12*(1+math.Abs(q)) {
			reached++
		}
	}
	return float64(reached) / float64(all)
}

func TestReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k             int
		c             float64
		rewards, arms string
		q, all, two   float64
	}{
		{2, .5, "01011110", "12222222", .058489304813, 37. / 56, 21. / 24},
		{3, .5, "0101111110", "1232222222", .197979797980, 22. / 120, 15. / 50},
		{2, .2, "01111101110111", "12222222222222", .082963620231, 158. / 364, 80. / 147},
		{2, .5, "01001111111111", "12221111111111", .229386259999, 24. / 364, 5. / 35},
	} {
		y := bits(c.rewards)
		for length, want := range map[int]float64{len(y): c.all, len(y) / 2: c.two} {
			l := &Log{Arms: c.k, Arm: armsOf(c.arms), Reward: y, Groups: Blocks(len(y), length)}
			u := ucb1{c.k, c.c, y}
			if got := exact(t, l, u); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s in blocks of %d: p %g, want %g", c.rewards, length, got, want)
			}
			const runs = 20_000
			r, err := Test(t.Context(), l, u, Options{Draws: runs, Exceedances: runs + 1, Name: c.rewards, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r.Statistic-c.q) > 1e-11 {
				t.Errorf("%s: statistic %.12g, want %.12g", c.rewards, r.Statistic, c.q)
			}
			// Five standard errors; the seed is fixed, so that this holds or does not.
			if se := math.Sqrt(want*(1-want)/runs) + 1./runs; math.Abs(r.P-want) > 5*se {
				t.Errorf("%s in blocks of %d: p %g of %d runs, want %g", c.rewards, length, r.P, runs, want)
			}
		}
	}
}

// The level over all 4,096 logs of twelve rounds of two equal coins is known exactly.
func TestLevelByEnumeration(t *testing.T) {
	t.Parallel()
	const rounds = 12
	byOnes := map[int][]float64{} // statistics of all logs with so many ones
	for mask := range 1 << rounds {
		y, ones := make([]float64, rounds), 0
		order := make([]int32, rounds)
		for i := range y {
			y[i], order[i] = float64(mask>>i&1), int32(i)
			ones += mask >> i & 1
		}
		l := &Log{Arms: 2, Reward: y}
		sums := newTally(l)
		_ = ucb1{2, .1, y}.Play(order, nil, func(round, arm int) { sums.add(arm, round) })
		byOnes[ones] = append(byOnes[ones], Spread(sums.n, sums.s, float64(ones)/rounds))
	}
	rejected := 0
	for _, all := range byOnes {
		for _, q := range all {
			reached := 0
			for _, other := range all {
				if other >= q-1e-12*(1+math.Abs(q)) {
					reached++
				}
			}
			if float64(reached) <= .05*float64(len(all)) {
				rejected++
			}
		}
	}
	if rejected != 112 {
		t.Errorf("%d of 4,096 logs rejected at .05, want 112", rejected)
	}
}

func TestJobsDoNotMatter(t *testing.T) {
	t.Parallel()
	y := bits("0101111110010110101101110101")
	l := &Log{Arms: 3, Arm: make([]int32, len(y)), Reward: y, Groups: Blocks(len(y), 10)}
	var first Result
	for jobs := range 5 {
		r, err := Test(t.Context(), l, ucb1{3, .5, y}, Options{Draws: 200, Exceedances: 20, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if jobs == 0 {
			first = r
		} else if r != first {
			t.Errorf("%d jobs give %+v, none %+v", jobs, r, first)
		}
	}
}
