package answers

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// Tally is what a method answered in the logs of a setting, in which arms pay alike
// and in which they do not.
type Tally struct {
	Method   string     `json:"method"`
	Kind     string     `json:"kind"`     // id of the test; V, C, U and L of estimates
	Applied  [2]int     `json:"applied"`  // logs with an answer
	Asked    [2]int     `json:"asked"`    // of these, logs in which the hypothesis is known to be true, or to be false
	Rejected [2]int     `json:"rejected"` // of these, at .05 by the method alone
	Decided  [2]int     `json:"decided"`  // logs that it decides by auto
	Missed   [2]int     `json:"missed"`   // intervals that do not hold the truth
	Width    [2]float64 `json:"width"`    // sum over intervals
	Interval [2]int     `json:"interval"` // how many there were
}

// Kinds of estimates, beside the ids of tests.
const (
	kindValue    = "V" // mean of the first arm over all rounds
	kindContrast = "C" // of the last arm less the first
	kindUniform  = "U" // what uniform play would have earned over all rounds
	kindLast     = "L" // what the last arm alone would have earned over all rounds
)

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
	var group errgroup.Group
	group.SetLimit(jobs)
	results := make([][2][]answered, n)
	for run := range n {
		for world := range 2 {
			group.Go(func() (err error) {
				results[run][world], err = s.audited(int64(run+1), world == 1)
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	out := &Counted{ID: s.ID(), Logs: n}
	for run := range results { // in their order, so that sums have one order
		for world, answers := range results[run] {
			for i := range answers {
				out.take(world, &answers[i])
			}
		}
	}
	return out, nil
}

// answered is what a method said of a question to a log.
type answered struct {
	kind, method            string
	asked, rejects, decides bool
	interval                *schemas.Interval
	truth                   float64
}

// audited plays a log and takes what each method answers at its end, or, of a log that
// is looked at again and again, whether it rejected at any time.
func (s *Setting) audited(run int64, apart bool) ([]answered, error) {
	l, err := s.play(run, apart)
	if err != nil {
		return nil, err
	}
	looks := max(s.Twist.Looks, 1)
	var before []answered
	for i := looks; i >= 1; i-- { // from the end, whose answers are those that are kept
		log := l.log
		if i < looks {
			log = log.First(s.look(i))
		}
		f, err := truth.Audit(log, s.protocol(run))
		if err != nil {
			return nil, err
		}
		now := s.answers(l, f.First(), apart)
		if i == looks {
			before = now
			continue
		}
		for j := range now {
			if at := slices.IndexFunc(before, now[j].same); at >= 0 && now[j].rejects {
				before[at].rejects = true
			}
		}
	}
	return before, nil
}

// look is the number of rounds at look i of s.Twist.Looks, which grow by one factor
// from 40 to all.
func (s *Setting) look(i int) int {
	const first = 40
	return int(math.Round(first * math.Pow(float64(s.Rounds)/first, float64(i-1)/float64(s.Twist.Looks-1))))
}

func (a answered) same(b answered) bool { return a.kind == b.kind && a.method == b.method }

// answers are the answers of the tests and the estimates of one log.
func (s *Setting) answers(l *played, x *schemas.Experiment, apart bool) []answered {
	var out []answered
	for i := range x.Tests {
		t := &x.Tests[i]
		kind, named, _ := strings.Cut(t.ID, "-")
		for j := range t.Results {
			r := &t.Results[j]
			now := answered{
				kind: kind, method: r.Method, asked: s.asked(t, l, apart), rejects: r.P != nil && *r.P <= alpha,
				decides: named == "" && t.DecidedBy == r.Method, interval: r.CI, truth: s.truth(t, l),
			}
			if r.Applicable && !slices.ContainsFunc(out, now.same) {
				out = append(out, now)
			}
		}
	}
	for i := range x.Estimates {
		if e := &x.Estimates[i]; e.CI != nil {
			switch {
			case e.Arm == nil:
			case e.Against == "" && *e.Arm == 0:
				out = append(out, answered{kind: kindValue, method: e.Estimator, interval: e.CI, truth: l.over[0]})
			case *e.Arm == s.Arms-1 && e.Against == s.labels()[0]:
				out = append(out, answered{kind: kindContrast, method: e.Estimator, interval: e.CI, truth: l.over[s.Arms-1] - l.over[0]})
			}
		}
	}
	return append(out, s.values(l, x)...)
}

// values are the answers about other policies.
func (s *Setting) values(l *played, x *schemas.Experiment) []answered {
	known := map[string]float64{kindLast: l.over[s.Arms-1]}
	for _, mean := range l.over {
		known[kindUniform] += mean / float64(s.Arms)
	}
	var out []answered
	for i := range x.Estimates {
		e := &x.Estimates[i]
		if e.CI == nil || e.EvaluationPolicy == "" || e.Against != "" {
			continue
		}
		method := e.Estimator
		if e.Anytime {
			method = schemas.MethodAnyTime
		}
		out = append(out, answered{kind: e.EvaluationPolicy, method: method, interval: e.CI, truth: known[e.EvaluationPolicy]})
	}
	return out
}

// asked says whether the hypothesis of a test is known to be true, or to be false: that
// of the mean of an arm is known only where the mean is the same in all rounds and the
// arm is none that pays more.
func (s *Setting) asked(t *schemas.Test, l *played, apart bool) bool {
	return t.Kind != schemas.TestMean || l.still && (!apart || t.Arm != s.Arms-1)
}

// truth is what an interval of a test should hold: the difference of the last arm and
// the first over all rounds, or the mean of an arm over its own rounds.
func (s *Setting) truth(t *schemas.Test, l *played) float64 {
	if t.Kind == schemas.TestMean {
		return l.own[t.Arm]
	}
	return l.over[s.Arms-1] - l.over[0]
}

// take counts an answer.
func (c *Counted) take(world int, a *answered) {
	y := c.tally(a.method, a.kind)
	y.Applied[world]++
	if a.asked {
		y.Asked[world]++
		y.Rejected[world] += one(a.rejects)
	}
	y.Decided[world] += one(a.decides)
	if a.interval == nil {
		return
	}
	y.Interval[world]++
	y.Width[world] += a.interval[1] - a.interval[0]
	y.Missed[world] += one(a.truth < a.interval[0]-1e-12 || a.truth > a.interval[1]+1e-12)
}

func one(is bool) int {
	if is {
		return 1
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
