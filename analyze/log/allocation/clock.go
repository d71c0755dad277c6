package allocation

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/changeschedule"
)

const (
	// clockRows bounds the rounds that a cadence is inferred from, the first of
	// the experiment: they take about 16 MiB.
	clockRows = 1 << 18
	// clockWork bounds the steps of a search for a period, over all experiments
	// of a log: about 0.4 s; clockLeast is what every experiment may take.
	clockWork, clockLeast = 1 << 27, 1 << 20
	// clockLevels is the number of values up to which a context makes cells,
	// clockCells bounds the cells of all contexts together, clockContexts how many are tried.
	clockLevels, clockCells, clockContexts = 16, 64, 8
	// clockDistinct is up to how many different propensities are counted: about
	// 2 MiB.
	clockDistinct = 1 << 16
)

// readCadence infers how the logged propensities move: where no batch is
// declared, which would say it, and they do not follow what could be played, strata or
// contexts by arm.
func readCadence(ctx context.Context, in *publiclog.Log) (*check.ChangeSchedule, error) {
	s := in.Slice.Schema()
	if !s.Propensity || s.Batch || s.Eligible || s.ContextByArm > 0 || s.Stratum {
		return nil, nil //nolint:nilnil // there is nothing to say, and no fault
	}
	r := &clockReader{in: in, rows: min(in.Slice.Rows(), clockRows)}
	var out *check.ChangeSchedule
	err := in.Slice.Guard(func() (err error) {
		out, err = r.read(ctx)
		return err
	})
	return out, err
}

// clockReader infers a cadence from the first rounds of an experiment.
type clockReader struct {
	in   *publiclog.Log
	rows int64
}

func (r *clockReader) read(ctx context.Context) (*check.ChangeSchedule, error) {
	out := &check.ChangeSchedule{Rows: r.rows, Learns: r.in.Mechanism != nil && r.in.Mechanism.ReadsRewards(), Contexts: r.in.Slice.ContextDim() > 0}
	r.fixed(out)
	if out.Changed == 0 || ctx.Err() != nil {
		return out, ctx.Err()
	}
	groups := r.groups()
	best, by := r.clock(nil, false), []contextGroup(nil)
	for _, cells := range r.cells(groups) {
		if c := r.clock(cells, false); c.Tell() > best.Tell() {
			best, by = c, cells
		}
	}
	for _, g := range by {
		out.By = append(out.By, g.name)
	}
	return out, r.search(ctx, out, best, by)
}

// search looks for whole rounds first: what keeps to them is a schedule in rounds,
// and anything else would be named by chance. Then it looks for any period, by
// rounds and by time.
func (r *clockReader) search(ctx context.Context, out *check.ChangeSchedule, best *allocationtest.Clock, by []contextGroup) error {
	level := r.in.Whole().CommonLevel() / 3 // by whole rounds, by rounds and by time
	out.Shared = r.in.Whole().Experiments
	work := max(clockLeast, clockWork/int64(max(1, out.Shared)))
	changes := changesOf(best)
	whole := changes.Whole(level, work)
	out.Whole = check.Whole{Rounds: whole.Rounds, Tried: whole.Tried, Cut: whole.Cut, On: whole.On, Told: whole.Told, Changes: changes.Count()}
	out.Whole.Every, _ = changes.Every()
	out.Whole.Few = changes.Few()
	if whole.Rounds > 0 {
		out.Grid = best.Held(allocationtest.Grid{Period: float64(whole.Rounds), Start: float64(whole.First) - 0.5, LogP: whole.LogP, Looked: int(whole.Tried - 1)})
		return nil
	}
	out.Grid = slowest(best, changes, best.Grid(ctx, level, work))
	if !r.in.Slice.Schema().Time || ctx.Err() != nil {
		return ctx.Err()
	}
	clock := r.clock(by, true)
	if timed := clock.Grid(ctx, level, work); timed.Period > 0 && timed.Power > out.Grid.Power {
		out.Grid, out.Timed = slowest(clock, changesOf(clock), timed), true
		out.First = r.in.Slice.Chunk(0).Time[0]
	}
	return ctx.Err()
}

// changesOf are the stretches between neighbouring rounds of a cell that changed.
func changesOf(c *allocationtest.Clock) *changeschedule.Changes {
	var out changeschedule.Changes
	c.Each(out.Between)
	return &out
}

// slowest is the grid of the multiple of a period that the changes keep to.
func slowest(c *allocationtest.Clock, changes *changeschedule.Changes, g allocationtest.Grid) allocationtest.Grid {
	if g.Period == 0 {
		return g
	}
	k, first := changes.Slowest(g.Period)
	if k == 1 {
		return g
	}
	g.Period, g.Error, g.Start = float64(float64(k)*g.Period), float64(float64(k)*g.Error), first
	return c.Held(g)
}

// each visits the rounds, until there are no more or there were enough.
func (r *clockReader) each(visit func(c *tableau.Chunk, row int)) {
	seen := int64(0)
	for i := range r.in.Slice.Chunks() {
		c := r.in.Slice.Chunk(i)
		for row := range c.Arm {
			if seen == r.rows {
				return
			}
			seen++
			visit(&c, row)
		}
	}
}

// propensities returns the logged propensities of a row, and the arm that was played where only
// its propensity is logged: −1 where all arms' are.
func (r *clockReader) propensities(c *tableau.Chunk, row int) (arm int32, p []float64) {
	if c.PropensityByArm == nil {
		return c.Arm[row], c.Propensity[row : row+1]
	}
	k := r.in.K()
	return -1, c.PropensityByArm[row*k : row*k+k]
}

// fixed holds the propensities against a policy that is the same in all rounds
// of an arm and of all declared contexts.
func (r *clockReader) fixed(out *check.ChangeSchedule) {
	type cell struct {
		arm int32
		x   uint64
	}
	hash, first, distinct := fnv.New64a(), map[cell]int64{}, map[float64]struct{}{}
	var x []byte
	before := map[cell][]float64{}
	r.each(func(c *tableau.Chunk, row int) {
		arm, p := r.propensities(c, row)
		x = x[:0]
		for _, column := range c.X {
			x = binary.LittleEndian.AppendUint64(x, math.Float64bits(column[row]))
		}
		hash.Reset()
		_, _ = hash.Write(x) // never fails
		at := cell{arm, hash.Sum64()}
		for _, v := range p {
			if len(distinct) <= clockDistinct {
				distinct[v] = struct{}{}
			}
		}
		if first[at]++; first[at] > 1 {
			out.Pairs++
			if !slices.Equal(before[at], p) {
				out.Changed++
			}
		}
		before[at] = p
	})
	out.Distinct, out.Cells = int64(len(distinct)), int64(len(first))
	if out.More = out.Distinct > clockDistinct; out.More {
		out.Distinct = clockDistinct
	}
}

// contextGroup is a declared context of few values: a column of the tableau, or
// the dummies of one.
type contextGroup struct {
	name    string
	columns []int
	codes   map[string]int64
}

// key appends the values of a group in a row.
func (g *contextGroup) key(buf []byte, c *tableau.Chunk, row int) []byte {
	for _, j := range g.columns {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(c.X[j][row]))
	}
	return buf
}

// groups are the declared contexts that have few values, at most clockContexts
// of them.
func (r *clockReader) groups() []contextGroup {
	var all []contextGroup
	for j, name := range r.in.Manifest.Context {
		base, _, _ := strings.Cut(name, "=")
		if n := len(all); n > 0 && all[n-1].name == base {
			all[n-1].columns = append(all[n-1].columns, j)
			continue
		}
		if len(all) == clockContexts {
			break
		}
		all = append(all, contextGroup{name: base, columns: []int{j}, codes: map[string]int64{}})
	}
	var buf []byte
	r.each(func(c *tableau.Chunk, row int) {
		for i := range all {
			g := &all[i]
			if len(g.codes) > clockLevels {
				continue
			}
			buf = g.key(buf[:0], c, row)
			if _, known := g.codes[string(buf)]; !known {
				g.codes[string(buf)] = int64(len(g.codes))
			}
		}
	})
	var few []contextGroup
	for _, g := range all {
		if n := len(g.codes); n > 1 && n <= clockLevels {
			few = append(few, g)
		}
	}
	return few
}

// cells are the ways to make cells that are tried beside arms alone: by each
// context, and by all of them where that makes few.
func (r *clockReader) cells(groups []contextGroup) [][]contextGroup {
	var all [][]contextGroup
	joint := 1
	for i, g := range groups {
		all = append(all, groups[i:i+1])
		joint *= len(g.codes)
	}
	if len(groups) > 1 && joint <= clockCells {
		all = append(all, groups)
	}
	return all
}

// clock takes the rounds up, by arm and by the contexts given: at their number,
// or at their time in seconds since the first.
func (r *clockReader) clock(by []contextGroup, timed bool) *allocationtest.Clock {
	var (
		clock allocationtest.Clock
		buf   []byte
		start int64
		seen  int64
	)
	r.each(func(c *tableau.Chunk, row int) {
		arm, p := r.propensities(c, row)
		cell := int64(arm)
		for i := range by {
			buf = by[i].key(buf[:0], c, row)
			cell = cell*int64(len(by[i].codes)) + by[i].codes[string(buf)]
		}
		seen++
		at := float64(seen)
		if timed {
			if seen == 1 {
				start = c.Time[row]
			}
			at = float64(uint64(c.Time[row])-uint64(start)) / 1e9 //nolint:gosec // times do not decrease, so that the difference is theirs
		}
		clock.Add(cell, at, p)
	})
	return &clock
}
