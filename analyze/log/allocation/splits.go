package allocation

import (
	"context"
	"fmt"
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// purposeSplits is the purpose under which check H17 reads rewards.
const purposeSplits = "check:H17"

const (
	// maxSplits bounds the splits of check H17.
	maxSplits = 16
	// maxSplitAccounts bounds its accounts, of which there are two for each split and
	// arm, and twice as many where the propensities of all arms are logged. Of very
	// many arms fewer splits are looked at.
	maxSplitAccounts = 1 << 15
	// maxTideArms is how many arms can be held against their own earlier pulls. With
	// maxTideArms arms all accounts take about 40 MiB. The constant also bounds the pairs of
	// cell and arm of all crossings together, which take about 6 MiB more.
	maxTideArms = 1 << 12
)

// partition gives every round a cell by what was known before its arm was drawn,
// and has splits: its cells on two sides. One without splits is looked at by its cells
// alone.
type partition struct {
	check.Cells

	rounds  []string // of each cell, behind "in rounds"
	splits  []split
	cells   func(c *tableau.Chunk, y []float64, dst []uint8) []uint8
	name    func() []string                          // the rounds of each cell, where they are not known before the log was read, or said only when they are asked for; nil: rounds
	most    int                                      // cells, where name gives their rounds
	crossed *crossing                                // nil: it is no crossing
	factor  string                                   // the context, behind "by": it is crossed with others; "": it is not
	number  bool                                     // the context is a number, with eight cells
	derived func(all [][]uint8, dst []uint8) []uint8 // its cells by cells of partitions before it, in place of cells; nil: not
}

// split is a split of a partition.
type split struct {
	check.Split

	sides []subgroups.Side // by cell
}

// partitions lists all partitions that could be looked at, in the order in which they are: by
// what came before, when, which arms could be played, and the declared contexts.
func partitions(in *publiclog.Log) []partition {
	return slices.Concat(pastPartitions(in), eligiblePartition(in), contextPartitions(in), contextByArmPartitions(in))
}

// most keeps the first splits, as many as the argument allows without counting tails, and
// what is left of each partition. It returns the names of the other partitions.
func most(all []partition, splits int) (looked []partition, leftOut []string) {
	for _, p := range all {
		if len(p.splits) == 0 {
			looked = append(looked, p)
			continue
		}
		kept := 0
		for _, s := range p.splits {
			switch {
			case splits == 0 && !s.Tail:
				leftOut = append(leftOut, s.Name)
				continue
			case splits > 0 && !s.Tail:
				splits--
			case kept == 0: // the tails of what is left out
				continue
			}
			p.splits[kept] = s
			kept++
		}
		if p.splits = p.splits[:kept]; kept > 0 {
			looked = append(looked, p)
		}
	}
	return looked, leftOut
}

// contextPartitions lists the partitions by the declared context: of a number by its eighths so
// far, of a word by its levels.
func contextPartitions(in *publiclog.Log) []partition {
	var out []partition
	next := 0 // column of the tableau
	declared := &in.Protocol.Log.Context
	for _, c := range declared.Columns {
		if len(c.Levels) == 0 {
			out = append(out, numberPartition(schemas.Named(in.Manifest.Context[next]), columnOf(next)))
			next++
			continue
		}
		out = append(out, levelPartition(c, next))
		next += len(c.Levels) - 1
	}
	for ; next < len(in.Manifest.Context); next++ { // of a list
		out = append(out, numberPartition(schemas.Named(in.Manifest.Context[next]), columnOf(next)))
	}
	return out
}

func columnOf(j int) func(c *tableau.Chunk) []float64 {
	return func(c *tableau.Chunk) []float64 { return c.X[j] }
}

// contextByArmPartitions lists the partitions by the contexts of each arm, arm by arm.
func contextByArmPartitions(in *publiclog.Log) []partition {
	w, k := in.Slice.Schema().ContextByArm, in.K()
	out := make([]partition, 0, w*k)
	for at := range w * k {
		name := fmt.Sprintf("%s[%d] of arm %s", schemas.Named(in.Protocol.Log.ContextByArm), at%w, in.Name(at/w))
		var x []float64
		out = append(out, numberPartition(name, func(c *tableau.Chunk) []float64 {
			x = x[:0]
			for t := range c.Arm {
				x = append(x, c.ContextByArm[t*k*w+at])
			}
			return x
		}))
	}
	return out
}

// againstMedian stands behind the name of a number.
const againstMedian = " against its median"

// numberPartition is the eighth of a number among those so far: its splits are
// whether it is above their median, and whether it is outside their quartiles.
func numberPartition(name string, column func(c *tableau.Chunk) []float64) partition {
	const no, yes = subgroups.SideNo, subgroups.SideYes
	var eighths subgroups.Eighths
	p := partition{
		Cells: check.Cells{Name: name + " by eighths"}, factor: name + againstMedian, number: true,
		splits: []split{
			{check.Split{Name: name + againstMedian, Sides: [2]string{"with " + name + " not above its median", "with " + name + " above its median"}}, []subgroups.Side{no, no, no, no, yes, yes, yes, yes}},
			{check.Split{Name: name + " against its quartiles", Sides: [2]string{"with " + name + " between its quartiles", "with " + name + " outside its quartiles"}, Tail: true}, []subgroups.Side{yes, yes, no, no, no, no, yes, yes}},
		},
		cells: func(c *tableau.Chunk, _ []float64, dst []uint8) []uint8 { return eighths.Cells(dst, column(c)) },
	}
	for _, nth := range []string{"lowest", "second", "third", "fourth", "fifth", "sixth", "seventh", "highest"} {
		p.rounds = append(p.rounds, "with "+name+" in its "+nth+" eighth")
	}
	return p
}

// levelPartition is the level of a word, whose dummies begin at a column of the
// tableau: it has a split for each level, and one if there are two.
func levelPartition(c schemas.ContextColumn, first int) partition {
	baseline := slices.Index(c.Levels, c.Levels[0])
	if c.Baseline != nil {
		baseline = slices.Index(c.Levels, *c.Baseline)
	}
	name := schemas.Named(c.Column)
	levels := min(len(c.Levels), maxSplits) // whose rounds are told apart: there are no more splits
	cells := min(len(c.Levels), levels+1)
	p := partition{Cells: check.Cells{Name: name + " by levels"}, factor: name, cells: levelCells(first, len(c.Levels), baseline, levels)}
	for i, level := range c.Levels {
		what := name + " = " + schemas.Named(level)
		sides := make([]subgroups.Side, cells)
		if i < levels {
			p.rounds = append(p.rounds, "with "+what)
			sides[i] = subgroups.SideYes
		}
		if len(c.Levels) == 2 && i == baseline {
			continue
		}
		others := "with another " + name
		if len(c.Levels) == 2 {
			others = "with " + name + " = " + schemas.Named(c.Levels[1-i])
		}
		p.splits = append(p.splits, split{check.Split{Name: what, Sides: [2]string{others, "with " + what}}, sides})
	}
	if cells > levels {
		p.rounds = append(p.rounds, "with another "+name)
	}
	return p
}

// levelCells are the places of levels, by their dummies; those beyond the most are
// in one cell.
func levelCells(first, levels, baseline, most int) func(c *tableau.Chunk, y []float64, dst []uint8) []uint8 {
	return func(c *tableau.Chunk, _ []float64, dst []uint8) []uint8 {
		for t := range c.Arm {
			cell := baseline
			for i, j := 0, first; i < levels; i++ {
				if i == baseline {
					continue
				}
				if c.X[j][t] != 0 {
					cell = i
				}
				j++
			}
			dst = append(dst, uint8(min(cell, most))) //nolint:gosec // at most maxSplits
		}
		return dst
	}
}

// ReadSplits holds the allocation against splits of the rounds; nil where no
// propensity is logged, declared or recomputed. It books the rewards that one of them
// reads, and those by which propensities are recomputed, against which it holds the pulls
// too (see Margin).
func (al *Allocation) ReadSplits(ctx context.Context, f *publiclog.Facts, book *ledger.Disclosures, conforms Conforms) (*check.Splits, error) {
	replayed := f.Recomputable() && AgainstRecomputed(f, conforms) == ""
	if al.Propensities == nil && !AtDeclared(f.Log) && !replayed {
		return nil, nil //nolint:nilnil // there is nothing to say, and no fault
	}
	if why := againstSplits(f, replayed); why != "" {
		return &check.Splits{Why: why}, nil
	}
	slice := splitSlice(f.Log)
	rewards, err := slice.Disclose(book, purposeSplits, splitColumns(f.Log)...)
	if err != nil {
		return nil, err
	}
	looked, leftOut := most(partitions(f.Log), mostSplits(f.Log))
	looked = append(looked, slices.Concat(before(f.Log, looked), crossings(f.Log, looked))...)
	plan := splitPlan(f.Log, looked)
	out := &check.Splits{
		Declared: AtDeclared(f.Log), Replayed: replayed, Shares: publiclog.OneMore(f.Protocol), LeftOut: leftOut, Deficits: plan.Deficits,
		Looked: splitsOf(looked),
	}
	r := &splitReader{facts: f, slice: slice, rewards: rewards, partitions: looked, accounts: subgroups.NewSplits(plan), firsts: f.Drawn.Firsts(f.Slice), odds: newOdds(f.Log), deals: allocationtest.NewRoundRobin(f.K()), units: newUnitWager(f)}
	if replayed {
		if r.replayed, err = recompute(ctx, f, slice, book, r.units); err != nil {
			return nil, err
		}
		defer r.replayed.run.Close()
	}
	err = f.Slice.Guard(func() error { return r.read(ctx) })
	if why := conformance.ProgramFailed(err); why != "" {
		return &check.Splits{Why: "When it was asked once more, " + why + "."}, nil
	}
	if err != nil {
		return nil, err
	}
	out.Result, out.Odds, out.Dealt, out.Again = r.accounts.Result(), r.foundOdds(), r.dealt(), r.foundAgain()
	if r.replayed != nil {
		al.Margin = r.replayed.found(f)
	}
	for i := range looked {
		out.Cells = append(out.Cells, looked[i].read())
	}
	for _, t := range out.Result.Tides {
		out.Looked = append(out.Looked, tideSplit(t, out.Cells))
	}
	return out, nil
}

// againstSplits is why the check is not run; "" where it is.
func againstSplits(f *publiclog.Facts, replayed bool) string {
	switch {
	case publiclog.OneMore(f.Protocol) && !Recomputed(f.Log) && !replayed:
		return check.OneMoreWords
	case replayed && f.Sampled.ByArm():
		return "Rows were kept by their arm, and the check does not hold these against recomputed propensities."
	case f.Sampled.Open() != "":
		return check.UndrawnWords(f.Sampled.Open())
	case f.Drawn.None():
		return "What was drawn is not known: " + f.Drawn.Open() + "."
	case mostSplits(f.Log) == 0:
		return "There are more arms than this check has accounts for: " + schemas.Grouped(int64(f.K())) + "."
	}
	return ""
}

// splitPlan is what is wagered on. With deficits arms that were played too seldom
// can be told; with two arms those are where the other was played too often.
func splitPlan(in *publiclog.Log, looked []partition) subgroups.SplitPlan {
	plan := subgroups.SplitPlan{Arms: in.K(), Level: SplitsLevel(in), Deficits: allKnown(in), Tides: in.K() <= maxTideArms, EachCell: true, Jobs: in.Jobs}
	for f, p := range looked {
		plan.Cells, plan.Crossed = append(plan.Cells, p.count()), append(plan.Crossed, p.crossed != nil)
		plan.Earlier = append(plan.Earlier, p.Earlier)
		for _, s := range p.splits {
			plan.Splits = append(plan.Splits, subgroups.SplitOf{Partition: f, Sides: s.sides, Tail: s.Tail})
		}
	}
	return plan
}

// splitsOf are the splits of partitions, in their order.
func splitsOf(looked []partition) []check.Split {
	var out []check.Split
	for _, p := range looked {
		for _, s := range p.splits {
			out = append(out, s.Split)
		}
	}
	return out
}

// tideSplit describes the split by the arm's own pulls in about of.Memory rounds before: in all
// of these rounds or, of a partition, in the ones that were in the round's cell.
func tideSplit(of subgroups.SplitTide, cells []check.Cells) check.Split {
	last := fmt.Sprintf("in about %s rounds before", schemas.Grouped(of.Memory))
	s := check.Split{Tide: true}
	if of.Partition >= 0 {
		s.Crossed = cells[of.Partition].Name
		last += " that were alike by " + s.Crossed
	}
	s.Name = "the arm's own pulls " + last
	s.Sides = [2]string{"behind fewer pulls of it than by its propensity " + last, "behind more pulls of it than by its propensity " + last}
	return s
}

// mostSplits is how many splits are looked at at most.
func mostSplits(in *publiclog.Log) int {
	accounts := 2 * in.K()
	if allKnown(in) {
		accounts *= 2
	}
	return min(maxSplits, maxSplitAccounts/accounts)
}

// SplitsLevel returns the level of the splits of check H17 in one experiment: 0.0005 over all
// experiments of the log, less the levels of the tests on the unit's previous arm and on the
// most likely arm.
func SplitsLevel(in *publiclog.Log) float64 {
	level := allocationtest.SplitsLevel
	if in.DrawnAnew() {
		level -= allocationtest.RepeatsLevel
	}
	if likelierKnown(in) {
		level -= allocationtest.OddsLevel
	}
	return level / float64(max(1, in.Whole().Experiments))
}

// splitReader goes over the rounds in their order.
type splitReader struct {
	facts      *publiclog.Facts
	slice      *tableau.Slice // in chunks that are small enough
	rewards    *tableau.Rewards
	firsts     *tableau.Firsts // nil: every round was drawn by itself
	partitions []partition
	accounts   *subgroups.Splits
	odds       odds
	deals      *allocationtest.RoundRobin
	units      *unitWager   // nil where no unit's rounds are drawn anew, or propensities are logged
	replayed   *recomputing // nil where propensities are not recomputed
}

// read makes the accounts of a chunk while the next one is prepared.
func (r *splitReader) read(ctx context.Context) error {
	from := newSplitSource(r.facts, r.units)
	return publiclog.Ahead(ctx, r.slice, r.facts.Jobs, func(i int, to *splitRows) error { return r.prepare(from, i, to) }, func(_ int, rows *splitRows) error {
		r.accounts.Add(&rows.SplitRows)
		return nil
	})
}

// prepare makes the rows of a chunk, and takes up what is no account of splits. It gets
// the chunks in their order.
func (r *splitReader) prepare(from *splitSource, i int, to *splitRows) error {
	c, y := r.slice.Chunk(i), r.rewards.Chunk(i)
	if err := from.take(&c, to, r.replayed); err != nil {
		return err
	}
	to.Cells = resized(to.Cells, len(r.partitions))
	for f := range r.partitions {
		switch p, dst := &r.partitions[f], to.Cells[f][:0]; {
		case p.crossed != nil && p.crossed.cell != nil:
			to.Cells[f] = p.crossed.cells(to.Cells, dst)
		case p.derived != nil:
			to.Cells[f] = p.derived(to.Cells, dst)
		default:
			to.Cells[f] = p.cells(&c, y, dst)
		}
	}
	if r.firsts != nil {
		to.keep(r.firsts.Next(&c))
	}
	r.odds.add(to.Arm, to.likelier)
	r.deals.Add(c.Arm)
	if r.replayed == nil {
		return nil
	}
	return r.replayed.hold(&c, to)
}

// dealt are counts that are fixed; nil where they are not.
func (r *splitReader) dealt() *check.RoundRobin {
	length, counts := r.deals.Found()
	if length == 0 {
		return nil
	}
	return &check.RoundRobin{Length: length, Counts: counts}
}
