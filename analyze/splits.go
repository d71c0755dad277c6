package analyze

import (
	"context"
	"fmt"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
	"banditaudit/ingest/decimals"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// purposeSplits is the purpose under which check H17 reads rewards.
const purposeSplits = "check:H17"

const (
	// maxSplits bounds the splits of check H17.
	maxSplits = 16
	// maxSplitAccounts bounds its accounts, of which there are two for each split and
	// arm, and twice as many where the propensities of all arms are logged: they take
	// about 10 MiB. Of very many arms fewer splits are looked at.
	maxSplitAccounts = 1 << 15
)

// split is a function of what was known before the arm of a round was drawn.
type split struct {
	check.Split

	sides func(c *tableau.Chunk, y []float64, dst []adaptive.Side) []adaptive.Side
}

// splits are all that could be looked at, in the order in which they are: what
// came before, when, and the declared contexts.
func (in *Input) splits() []split {
	all := []split{in.previousSplit(), rewardSplit()}
	if in.Protocol.Experiment.Stopping == schemas.StoppingFixed {
		all = append(all, in.timeSplits()...)
	}
	return append(append(all, in.contextSplits()...), in.contextByArmSplits()...)
}

// previousSplit is whether the first arm was played in the round before.
func (in *Input) previousSplit() split {
	before, first := adaptive.SideUnknown, in.name(0)
	return split{
		Split: check.Split{Name: "the previous action", Sides: [2]string{"behind one that did not play " + first, "behind one that played " + first}, Previous: true},
		sides: func(c *tableau.Chunk, _ []float64, dst []adaptive.Side) []adaptive.Side {
			for _, arm := range c.Arm {
				dst = append(dst, before)
				before = adaptive.SideNo
				if arm == 0 {
					before = adaptive.SideYes
				}
			}
			return dst
		},
	}
}

// rewardSplit is whether the last reward that was known is above the mean of
// those known before it.
func rewardSplit() split {
	var known adaptive.ArrivalSplit
	return split{
		Split: check.Split{Name: "the last reward", Sides: [2]string{"behind a reward not above the mean of those before it", "behind a reward above the mean of those before it"}},
		sides: func(c *tableau.Chunk, y []float64, dst []adaptive.Side) []adaptive.Side {
			for t, round := range c.Round {
				after := round
				if c.RewardRound != nil {
					after = c.RewardRound[t]
				}
				dst = append(dst, known.Side(round))
				known.Add(round, after, y[t])
			}
			return dst
		},
	}
}

// timeSplits are the first half, and each quarter, of a log whose end was fixed in
// advance.
func (in *Input) timeSplits() []split {
	rows := in.Slice.Rows()
	part := func(name string, from, to int64) split {
		return split{
			Split: check.Split{Name: name, Sides: [2]string{"outside " + name, "of " + name}},
			sides: func(c *tableau.Chunk, _ []float64, dst []adaptive.Side) []adaptive.Side {
				for t := range c.Arm {
					side := adaptive.SideNo
					if row := c.Start + int64(t); from <= row && row < to {
						side = adaptive.SideYes
					}
					dst = append(dst, side)
				}
				return dst
			},
		}
	}
	out := []split{part("the first half", 0, (rows+1)/2)}
	out[0].Sides[adaptive.SideNo] = "of the second half"
	for i, name := range []string{"the first quarter", "the second quarter", "the third quarter", "the last quarter"} {
		out = append(out, part(name, int64(i)*rows/4, int64(i+1)*rows/4))
	}
	return out
}

// contextSplits are those of the declared context: a number against its median so
// far, a word against each of its levels.
func (in *Input) contextSplits() []split {
	var out []split
	next := 0 // column of the tableau
	for _, c := range in.Protocol.Log.Context.Columns {
		if len(c.Levels) == 0 {
			out = append(out, medianSplit(schemas.Named(in.Manifest.Context[next]), columnOf(next)))
			next++
			continue
		}
		out = append(out, levelSplits(c, next)...)
		next += len(c.Levels) - 1
	}
	for ; next < len(in.Manifest.Context); next++ { // of a list
		out = append(out, medianSplit(schemas.Named(in.Manifest.Context[next]), columnOf(next)))
	}
	return out
}

func columnOf(j int) func(c *tableau.Chunk) []float64 {
	return func(c *tableau.Chunk) []float64 { return c.X[j] }
}

// contextByArmSplits are those of the contexts of each arm, arm by arm.
func (in *Input) contextByArmSplits() []split {
	w, k := in.Slice.Schema().ContextByArm, in.k()
	out := make([]split, 0, w*k)
	for at := range w * k {
		name := fmt.Sprintf("%s[%d] of arm %s", schemas.Named(in.Protocol.Log.ContextByArm), at%w, in.name(at/w))
		out = append(out, medianSplit(name, func(c *tableau.Chunk) []float64 {
			x := make([]float64, len(c.Arm))
			for t := range x {
				x[t] = c.ContextByArm[t*k*w+at]
			}
			return x
		}))
	}
	return out
}

// medianSplit is whether a number is above the median of those so far.
func medianSplit(name string, column func(c *tableau.Chunk) []float64) split {
	var median adaptive.MedianSplit
	return split{
		Split: check.Split{Name: name + " against its median", Sides: [2]string{"with " + name + " not above its median", "with " + name + " above its median"}},
		sides: func(c *tableau.Chunk, _ []float64, dst []adaptive.Side) []adaptive.Side {
			return median.Sides(dst, column(c))
		},
	}
}

// levelSplits are those of a word, whose dummies begin at a column of the tableau:
// one for each level, and one for a word of two.
func levelSplits(c schemas.ContextColumn, first int) []split {
	baseline := c.Levels[0]
	if c.Baseline != nil {
		baseline = *c.Baseline
	}
	var out []split
	dummies := len(c.Levels) - 1
	next := first
	for _, level := range c.Levels {
		columns, is := []int{next}, adaptive.SideYes
		if level == baseline {
			if dummies == 1 {
				continue
			}
			columns, is = columns[:0], adaptive.SideNo
			for j := range dummies {
				columns = append(columns, first+j)
			}
		} else {
			next++
		}
		what := schemas.Named(c.Column) + " = " + schemas.Named(level)
		out = append(out, split{check.Split{Name: what, Sides: [2]string{"with another " + schemas.Named(c.Column), "with " + what}}, dummySides(columns, is)})
	}
	return out
}

// dummySides is one side where any of the columns is not 0, and the other where
// all are.
func dummySides(columns []int, is adaptive.Side) func(c *tableau.Chunk, _ []float64, dst []adaptive.Side) []adaptive.Side {
	return func(c *tableau.Chunk, _ []float64, dst []adaptive.Side) []adaptive.Side {
		for t := range c.Arm {
			side := adaptive.SideYes - is
			for _, j := range columns {
				if c.X[j][t] != 0 {
					side = is
				}
			}
			dst = append(dst, side)
		}
		return dst
	}
}

// readSplits holds the allocation against splits of the rounds; nil where no
// propensity is logged. It books the rewards that one of them reads.
func readSplits(ctx context.Context, s *sample, al *allocation) (*check.Splits, error) {
	if al.propensities == nil {
		return nil, nil //nolint:nilnil // there is nothing to say, and no fault
	}
	switch {
	case s.oneMore():
		return &check.Splits{Why: check.OneMoreWords}, nil
	case s.draws.None():
		return &check.Splits{Why: "What was drawn is not known: " + s.draws.Open() + "."}, nil
	case s.mostSplits() == 0:
		return &check.Splits{Why: "There are more arms than this check has accounts for: " + schemas.Grouped(int64(s.k())) + "."}, nil
	}
	rewards, err := s.Slice.Disclose(s.book, purposeSplits, "arm", "propensity")
	if err != nil {
		return nil, err
	}
	all := s.splits()
	looked := all[:min(len(all), s.mostSplits())]
	out := &check.Splits{Again: s.wagered()}
	for i, of := range all {
		if i < len(looked) {
			out.Looked = append(out.Looked, of.Split)
		} else {
			out.LeftOut = append(out.LeftOut, of.Name)
		}
	}
	r := &splitReader{sample: s, rewards: rewards, splits: looked, firsts: s.draws.Firsts(s.Slice)}
	if err = s.Slice.Guard(func() error { return r.read(ctx) }); err != nil {
		return nil, err
	}
	out.Result, out.Deficits = r.accounts.Result(), r.deficits()
	return out, nil
}

// mostSplits is how many splits are looked at at most.
func (in *Input) mostSplits() int {
	accounts := 2 * in.k()
	if in.Slice.Schema().PropensityByArm {
		accounts *= 2
	}
	return min(maxSplits, maxSplitAccounts/accounts)
}

// splitsLevel is that of the splits of check H17, 0.0005 over all experiments of the
// log, less what the arm of the unit's round before has of it.
func (in *Input) splitsLevel() float64 {
	level := adaptive.SplitsLevel
	if in.drawnAnew() {
		level -= adaptive.RepeatsLevel
	}
	return level / float64(max(1, len(in.Manifest.Experiments)))
}

// splitReader goes over the rounds in their order.
type splitReader struct {
	*sample
	rewards  *tableau.Rewards
	firsts   *tableau.Firsts // nil: every round was drawn by itself
	splits   []split
	accounts *adaptive.Splits
	rows     adaptive.SplitRows // of a chunk; used again
	could    []bool
	low      []float64
	exact    []float64 // what a declared policy that looks at no rewards gives in a row; nil where another is declared, or none
	law      chances   // nil where that is the same in all rows
}

// deficits reports whether arms that were played too seldom can be told: with two
// arms those are where the other was played too often.
func (r *splitReader) deficits() bool { return r.Slice.Schema().PropensityByArm }

func (r *splitReader) read(ctx context.Context) error {
	r.accounts = adaptive.NewSplits(len(r.splits), r.k(), r.splitsLevel(), r.deficits())
	r.rows.Sides = make([][]adaptive.Side, len(r.splits))
	if m := r.Mechanism; m != nil && m.Known() {
		r.exact = declaredProbabilities(r.Input)
		if r.Slice.Schema().Eligible {
			r.law = blind(m, r.k())
		}
	}
	for i := range r.Slice.Chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, y := r.Slice.Chunk(i), r.rewards.Chunk(i)
		for f := range r.splits {
			r.rows.Sides[f] = r.splits[f].sides(&c, y, r.rows.Sides[f][:0])
		}
		r.take(&c)
		if r.firsts != nil {
			r.keep(r.firsts.Next(&c))
		}
		r.accounts.Add(&r.rows)
	}
	return nil
}

// keep passes over the rows that are not known to be drawn by themselves.
func (r *splitReader) keep(draws []bool) {
	for t, is := range draws {
		if !is {
			r.rows.Arm[t] = -1
		}
	}
}

// take puts a chunk into the reader's rows.
func (r *splitReader) take(c *tableau.Chunk) {
	s := r.Slice.Schema()
	to := &r.rows
	to.Arm, to.High, to.Low, to.Could = append(to.Arm[:0], c.Arm...), to.High[:0], nil, nil
	if s.Eligible || s.PropensityByArm {
		r.takeCould(c)
		to.Could = r.could
	}
	r.low = r.low[:0]
	for t := range c.Arm {
		if r.law != nil {
			r.law(c, t, r.exact)
		}
		r.takeEnds(c, t)
	}
	if s.PropensityByArm {
		to.Low = r.low
	}
}

// takeCould says which arms could be played.
func (r *splitReader) takeCould(c *tableau.Chunk) {
	k, all := r.k(), r.Slice.Schema().PropensityByArm
	r.could = r.could[:0]
	for t, played := range c.Arm {
		for arm := range k {
			r.could = append(r.could, c.Eligible(t, arm) && (!all || c.PropensityByArm[t*k+arm] > 0))
		}
		if !r.could[t*k+int(played)] {
			r.rows.Arm[t] = -1 // a fault that H04 names
		}
	}
}

// takeEnds takes the ends of the propensities of a row: those that the column has
// by its decimals, and where the declared policy has a probability between them,
// that.
func (r *splitReader) takeEnds(c *tableau.Chunk, t int) {
	k, played := r.k(), int(c.Arm[t])
	ends := r.ends.allocation(r.Slice.Schema())
	if c.PropensityByArm == nil {
		_, high := r.between(ends, c.Propensity[t], played)
		r.rows.High = append(r.rows.High, high)
		return
	}
	for arm, p := range c.PropensityByArm[t*k : t*k+k] {
		low, high := r.between(ends, p, arm)
		if !r.could[t*k+arm] {
			low = 0
		}
		r.low = append(r.low, low)
		if arm == played {
			r.rows.High = append(r.rows.High, high)
		}
	}
}

// between are the ends of a propensity of an arm.
func (r *splitReader) between(ends decimals.Ends, p float64, arm int) (low, high float64) {
	low, high = ends.Lower(p), ends.Upper(p)
	if r.exact == nil {
		return low, high
	}
	if p = r.exact[arm]; low <= p && p <= high {
		return p, p
	}
	return low, high
}
