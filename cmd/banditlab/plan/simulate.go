package plan

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/moments"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
)

func logOf(v float64) float64 { return math.Log(v) }

// run is what one run of a setting came to.
type run struct {
	regret    float64 // on [0,1]
	found     bool    // an arm with the largest mean was pulled most
	corrected bool    // and the corrected test of its mean rejects, on the right side
	sequence  bool    // and the confidence sequence does
	falsely   bool    // the uncorrected test of the least-pulled arm rejects
	sigma     float64 // of the rows of the arm that was pulled most
}

// progress adds up what is done.
type progress struct {
	mu          sync.Mutex
	tell        func(done, total int64)
	done, total int64
}

func (p *progress) add(more int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += more
	if p.tell != nil {
		p.tell(p.done, p.total)
	}
}

// simulate makes the given number of runs of every setting, in q.Jobs goroutines. Each run
// has its place in the result, so that it does not matter who does it when.
func (q *Question) simulate(ctx context.Context, settings []*setting, runs int64) ([][]run, error) {
	p := &progress{tell: q.Progress, total: runs * q.Rounds * int64(len(settings))}
	out := make([][]run, len(settings))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(q.Jobs)
	for i, s := range settings {
		out[i] = make([]run, runs)
		for r := range out[i] {
			g.Go(func() (err error) {
				if out[i][r], err = s.once(ctx, int64(r), q.Rounds); err != nil {
					return fmt.Errorf("plan: %s on %s: %w", s.policy, s.counter, err)
				}
				p.add(q.Rounds)
				return nil
			})
		}
	}
	return out, g.Wait()
}

// looks is the number of rounds between two looks at the context.
const looks = 1 << 14

// once plays run r.
func (s *setting) once(ctx context.Context, r, rounds int64) (run, error) {
	id := "plan/" + strconv.FormatInt(r, 10)
	played, last := s.unplayed(), 0
	err := s.mechanism.Bandit(s.spec.Master, id, s.spec.Environment(id), rounds, func(step *replay.Step) error {
		played.add(step.Arm, step.Reward)
		last = step.Arm
		if step.Round%looks == 1 {
			return ctx.Err()
		}
		return nil
	})
	if err != nil {
		return run{}, err
	}
	return s.judge(played, last), nil
}

// played is what the rewards of every arm came to.
type played struct {
	arms []moments.Scalar
	bet  *moments.Betting // nil where the test does not read bets
	bets []moments.Bets   // likewise
}

// unplayed is what arms have before the first round.
func (s *setting) unplayed() *played {
	out := &played{arms: make([]moments.Scalar, len(s.means))}
	if s.test != testExact {
		out.bet, out.bets = moments.NewBetting(0, 1), make([]moments.Bets, len(s.means))
	}
	return out
}

// add joins a reward of an arm.
func (p *played) add(arm int, reward float64) {
	p.arms[arm].AddOne(reward)
	if p.bet != nil {
		p.bet.Add(&p.bets[arm], reward)
	}
}

// judge tests the arm that was pulled most, of equal ones the first.
func (s *setting) judge(p *played, last int) run {
	pulls := make([]int64, len(p.arms))
	out := run{}
	for i := range p.arms {
		pulls[i] = p.arms[i].N
		out.regret += float64(float64(pulls[i]) * (s.best - s.means[i]))
	}
	if s.equal {
		out.falsely = s.logP(p, slices.Index(pulls, slices.Min(pulls))) <= s.logAlpha
		return out
	}
	most := slices.Index(pulls, slices.Max(pulls))
	arm := p.arms[most]
	if out.found = s.means[most] == s.best; out.found && arm.Mean > s.null {
		sequence := confseq.SequenceP(arm.N, arm.Mean, s.null, confseq.Sequence{Hi: 1, K: len(pulls), LogAlpha: s.logAlpha})
		out.sequence = sequence <= s.logAlpha
	}
	if math.IsInf(s.epsilon, 1) {
		return out
	}
	levels := s.costs(pulls, last, most)
	out.sigma = maxinfo.Sigma(levels)
	out.corrected = out.found && arm.Mean > s.null && maxinfo.Renyi(levels).Apply(s.logP(p, most)) <= s.logAlpha
	return out
}

// logP returns ln p of the test of "the arm's mean is null"; 0 where there is no test.
func (s *setting) logP(p *played, arm int) float64 {
	x := p.arms[arm]
	var logP float64
	if p.bet == nil {
		logP = hypothesis.BinomialLogP(int64(math.Round(x.Mean*float64(x.N))), x.N, s.null, alternative)
	} else {
		logP = hypothesis.Bets(&hypothesis.Betted{Bets: p.bets[arm], Mean: x.Mean, Hi: 1}, s.null, alternative, s.logAlpha).LogP
	}
	if math.IsNaN(logP) {
		return 0
	}
	return logP
}

// costs returns the privacy losses of the rows of one arm on the path that was played, rounded
// up. The reward of the last round, which is of arm last, is used by no decision.
func (s *setting) costs(pulls []int64, last, arm int) []maxinfo.Level {
	read := slices.Clone(pulls)
	read[last]--
	var out []maxinfo.Level
	for _, l := range ledger.Account(s.law, pulls, read).Arms[arm].Levels {
		out = append(out, maxinfo.Level{Cost: l.Cost.Up(), Rows: l.Rows})
	}
	return out
}
