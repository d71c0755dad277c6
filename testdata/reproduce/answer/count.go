package answer

import (
	"math"
	"sync"

	"golang.org/x/sync/errgroup"

	"banditaudit/schemas"
	"banditaudit/testdata/reproduce/truth"
)

// Tally is what a method answered in the logs of a setting, in which arms pay alike
// and in which they do not.
type Tally struct {
	Method   string     `json:"method"`
	Kind     string     `json:"kind"`     // id of the test
	Applied  [2]int     `json:"applied"`  // logs with an answer
	Rejected [2]int     `json:"rejected"` // of these, at .05 by the method alone
	Decided  [2]int     `json:"decided"`  // logs that it decides by auto
	Missed   [2]int     `json:"missed"`   // intervals that do not hold the truth
	Width    [2]float64 `json:"width"`    // sum over intervals
	Interval [2]int     `json:"interval"` // how many there were
}

// Counted is what came of a setting.
type Counted struct {
	ID    string  `json:"id"`
	Logs  int     `json:"logs"`
	Found []Tally `json:"found"`
	Made  string  `json:"made"` // commit and date
}

// alpha is the level of every test.
const alpha = .05

// Count audits logs 1 … n of a setting in both worlds.
func (s *Setting) Count(n, jobs int) (*Counted, error) {
	out := &Counted{ID: s.ID(), Logs: n}
	var (
		lock  sync.Mutex
		group errgroup.Group
	)
	group.SetLimit(jobs)
	results := make([][2]map[string]*schemas.Test, n)
	for run := range n {
		for world := range 2 {
			group.Go(func() error {
				l, err := s.play(int64(run+1), world == 1)
				if err != nil {
					return err
				}
				f, err := truth.Audit(l, s.protocol())
				if err != nil {
					return err
				}
				lock.Lock()
				defer lock.Unlock()
				results[run][world] = found(f)
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for run := range results { // in their order, so that sums have one order
		for world, tests := range results[run] {
			for _, id := range []string{"D", "E", "M"} {
				s.take(out, id, world, tests[id])
			}
		}
	}
	return out, nil
}

// take counts the answers of one test.
func (s *Setting) take(out *Counted, id string, world int, t *schemas.Test) {
	for i := range t.Results {
		r := &t.Results[i]
		if !r.Applicable {
			continue
		}
		y := out.tally(r.Method, id)
		y.Applied[world]++
		if r.P != nil && *r.P <= alpha {
			y.Rejected[world]++
		}
		if t.DecidedBy == r.Method {
			y.Decided[world]++
		}
		if r.CI == nil {
			continue
		}
		y.Interval[world]++
		y.Width[world] += r.CI[1] - r.CI[0]
		if truth := s.truth(id, world == 1); truth < r.CI[0]-1e-12 || truth > r.CI[1]+1e-12 {
			y.Missed[world]++
		}
	}
}

// truth is what an interval of a test should hold: the difference of the last arm and
// the first over all rounds, or the mean of the first arm. Under drift the mean of an
// arm over its own rounds is not known beforehand: NaN, which no interval misses.
func (s *Setting) truth(id string, apart bool) float64 {
	switch {
	case id == "M" && s.Drift:
		return math.NaN()
	case id == "M":
		return s.Law.Mean
	case apart:
		sum := 0.0
		for t := range s.Rounds {
			sum += s.mean(t, s.Arms-1, true) - s.mean(t, 0, true)
		}
		return sum / float64(s.Rounds)
	}
	return 0
}

func (c *Counted) tally(method, kind string) *Tally {
	for i := range c.Found {
		if y := &c.Found[i]; y.Method == method && y.Kind == kind {
			return y
		}
	}
	c.Found = append(c.Found, Tally{Method: method, Kind: kind})
	return &c.Found[len(c.Found)-1]
}
