package analyze

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// blockArms is the number of arms of a blockLog; nobody plays the last.
const blockArms = 4

// blockLog is a log with units, batches, delays and missing rewards.
type blockLog struct {
	tableau.Batch

	byArm  bool // covariates stand in the log for every arm
	before int  // rows of another experiment that come before
}

func drawBlockLog(t *rapid.T) *blockLog {
	l := &blockLog{}
	n := rapid.IntRange(2, 60).Draw(t, "rounds")
	batch, units := int32(0), int64(0)
	for i := range n {
		if i > 0 {
			batch += rapid.Int32Range(0, 1).Draw(t, "batch")
		}
		unit := rapid.Int64Range(0, units).Draw(t, "unit")
		units = max(units, unit+1)
		y := rapid.Float64Range(0, 1).Draw(t, "reward")
		if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
			y = math.NaN()
		}
		l.Experiment, l.Round = append(l.Experiment, 0), append(l.Round, int64(i+1))
		l.Arm = append(l.Arm, rapid.Int32Range(0, blockArms-2).Draw(t, "arm"))
		l.Reward, l.Unit, l.Batch.Batch = append(l.Reward, y), append(l.Unit, unit), append(l.Batch.Batch, batch)
		l.RewardRound = append(l.RewardRound, min(int64(n), int64(i+1)+rapid.Int64Range(0, 5).Draw(t, "delay")))
	}
	return l
}

// fourRounds is a log of one arm and two units.
func fourRounds(t *testing.T) *tableau.Slice {
	t.Helper()
	l := &blockLog{}
	for i := range int64(4) {
		l.Experiment, l.Round, l.Arm = append(l.Experiment, 0), append(l.Round, i+1), append(l.Arm, 0)
		l.Reward, l.Unit, l.Batch.Batch, l.RewardRound = append(l.Reward, 0), append(l.Unit, i/2), append(l.Batch.Batch, 0), append(l.RewardRound, i+1)
	}
	return l.open(t)
}

// open writes the log and its order by unit, and opens both.
func (l *blockLog) open(tb testing.TB) *tableau.Slice {
	tb.Helper()
	tab, units := l.write(tb)
	if err := tab.OpenUnits(units); err != nil {
		tb.Fatal(err)
	}
	return tab.Slice(tab.Experiments() - 1)
}

// write writes both, opens the log, and returns the name of the other.
func (l *blockLog) write(tb testing.TB) (tab *tableau.Tableau, units string) {
	tb.Helper()
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	dir := tb.TempDir()
	schema, rows := l.file()
	w, err := tableau.NewWriter(filepath.Join(dir, "rounds.arrow"), schema)
	must(err)
	must(w.Append(rows))
	_, err = w.Close()
	must(err)
	units = filepath.Join(dir, "units.arrow")
	u, err := tableau.NewUnitsWriter(units)
	must(err)
	for _, e := range schema.Experiments {
		order, of := make([]int64, e.Rows), make([]int64, e.Rows)
		for i := range order {
			order[i] = e.Offset + int64(i)
		}
		slices.SortStableFunc(order, func(x, y int64) int { return int(rows.Unit[x] - rows.Unit[y]) })
		for i, row := range order {
			of[i] = rows.Unit[row]
		}
		must(u.Append(of, order))
	}
	_, err = u.Close()
	must(err)
	tab, err = tableau.Open(filepath.Join(dir, "rounds.arrow"), schema)
	must(err)
	tb.Cleanup(func() { must(tab.Close()) })
	return tab, units
}

// file is the log behind an experiment of its first rows.
func (l *blockLog) file() (tableau.Schema, *tableau.Batch) {
	schema := tableau.Schema{Arms: blockArms, Reward: [2]float64{0, 1}, Batch: true, RewardRound: true, Unit: true, MissingReward: true, ContextDim: len(l.X)}
	if l.byArm {
		schema.ContextDim, schema.ContextByArm = 0, len(l.X)
	}
	out := &tableau.Batch{X: make([][]float64, schema.ContextDim)}
	add := func(experiment int32, rows int) {
		schema.Experiments = append(schema.Experiments, tableau.Range{ID: []string{"other", "shop"}[experiment], Offset: int64(len(out.Arm)), Rows: int64(rows)})
		out.Experiment = append(out.Experiment, slices.Repeat([]int32{experiment}, rows)...)
		out.Round, out.Arm, out.Reward = append(out.Round, l.Round[:rows]...), append(out.Arm, l.Arm[:rows]...), append(out.Reward, l.Reward[:rows]...)
		out.Unit, out.Batch = append(out.Unit, l.Unit[:rows]...), append(out.Batch, l.Batch.Batch[:rows]...)
		for _, known := range l.RewardRound[:rows] {
			out.RewardRound = append(out.RewardRound, min(known, int64(rows)))
		}
		for j := range out.X {
			out.X[j] = append(out.X[j], l.X[j][:rows]...)
		}
		if l.byArm {
			out.ContextByArm = append(out.ContextByArm, l.contextByArm(rows)...)
		}
	}
	if l.before > 0 {
		add(0, l.before)
	}
	add(int32(min(1, l.before)), len(l.Arm))
	return schema, out
}

// contextByArm has the covariates at the arm that was played, and others at the
// others.
func (l *blockLog) contextByArm(rows int) (out []float64) {
	for row, played := range l.Arm[:rows] {
		for arm := range int32(blockArms) {
			for j := range l.X {
				out = append(out, l.X[j][row]+float64(arm-played))
			}
		}
	}
	return out
}

// blockProtocol declares a mechanism whose rows cost something.
func blockProtocol(softmax bool) *schemas.Protocol {
	p := &schemas.Protocol{Policy: &schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.125}}, Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Counter: &schemas.Counter{Name: "exact"}}
	if !softmax {
		p.Policy = &schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"delta": 0.05}, "bonus": "none"}}
		p.Counter = &schemas.Counter{Name: "tree", Epsilon: schemas.MustRational("0.3"), Horizon: 100}
	}
	p.Analysis.Regressions = []schemas.RegressionSpec{{Name: "main", Covariance: schemas.Covariance{Cluster: "batch"}}}
	return p
}

// accountsOf are the accounts of a log.
func accountsOf(t interface{ Fatal(...any) }, s *tableau.Slice, p *schemas.Protocol) *corrections.Accounts {
	labels := []string{"a", "b", "c", "d"}
	d, err := conformance.Declare(Standard(), p, labels)
	if err != nil {
		t.Fatal(err)
	}
	in := publiclog.New(d, &schemas.Manifest{Arms: labels}, 0, s)
	a, err := corrections.Open(context.Background(), &publiclog.Facts{Log: &in}, corrections.Corrections(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// rowCosts are the costs of all rows, which package conformance tests against
// their definition.
func rowCosts(t interface{ Fatal(...any) }, a *corrections.Accounts) []float64 {
	var out []float64
	if err := a.Facts.Declared.Costs(context.Background(), a.Facts.Slice, func(_ int, costs []float64) error {
		out = append(out, costs...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func about(got, want float64) bool { return got >= want*(1-1e-12) && got <= want*(1+1e-12) }

// Units and batches of random logs against sums by hand.
func TestBlocksAgainstSums(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		l := drawBlockLog(t)
		a := accountsOf(t, l.open(outer), blockProtocol(rapid.Bool().Draw(t, "softmax")))
		costs, shift := rowCosts(t, a), []float64{0, .25, .5, 1}
		rewards, err := a.Facts.Slice.Disclose(&ledger.Disclosures{}, "test:H", "arm")
		if err != nil {
			t.Fatal(err)
		}
		for kind, of := range map[corrections.Kind]func(row int) int64{
			corrections.UnitBlocks:  func(row int) int64 { return l.Unit[row] },
			corrections.BatchBlocks: func(row int) int64 { return int64(l.Batch.Batch[row]) },
		} {
			type sums struct {
				rows, n int64
				sum     float64
			}
			total, count, parts := map[int64]float64{}, map[int64]int{}, map[[2]int64]sums{}
			for row, arm := range l.Arm {
				key := [2]int64{of(row), int64(arm)}
				total[key[0]] += costs[row]
				count[key[0]]++
				s := parts[key]
				s.rows++
				if y := l.Reward[row]; y == y {
					s.n++
					s.sum += y - shift[arm]
				}
				parts[key] = s
			}
			next := int64(0)
			squares := 0.0
			err := a.WalkBlocks(context.Background(), kind, &corrections.BlockRewards{Rewards: rewards, Shift: shift}, nil, func(b *corrections.Block) error {
				up := 1 + float64(len(l.Arm))*0x1p-52 // rounded up once
				if !about(b.Cost, total[next]) || b.Cost < total[next] || count[next] == 1 && b.Cost != total[next]*up {
					t.Fatalf("block %d with cost %v, want %v", next, b.Cost, total[next])
				}
				played := 0
				for arm := range blockArms {
					want, part := parts[[2]int64{next, int64(arm)}], b.Of(arm)
					if part.Arm != arm || part.N != want.n || !(math.Abs(part.Sum-want.sum) <= 1e-12) {
						t.Fatalf("block %d: %+v, want %+v", next, part, want)
					}
					if want.rows > 0 {
						played++
					}
				}
				if played != len(b.Arms) {
					t.Fatalf("block %d: %d arms, want %d", next, len(b.Arms), played)
				}
				next++
				squares += b.Cost * b.Cost
				return nil
			})
			if err != nil || next != int64(len(total)) {
				t.Fatal(next, err)
			}
			if kind == corrections.UnitBlocks && !(math.Abs(squares-float64(*a.Accounting.SumSquaredUnitCosts)) <= 1e-9*squares) {
				t.Fatalf("Σ over units %v, the accounting's %v", squares, *a.Accounting.SumSquaredUnitCosts)
			}
			checkLevels(t, a, kind, total, func(block int64, arm int) bool { return parts[[2]int64{block, int64(arm)}].rows > 0 })
		}
	})
}

// checkLevels holds the levels of some sets against the blocks that touch them.
func checkLevels(t *rapid.T, a *corrections.Accounts, kind corrections.Kind, total map[int64]float64, touches func(block int64, arm int) bool) {
	for _, arms := range [][]int{nil, {0}, {2}, {blockArms - 1}, {0, 1}, {2, 1}, {0, 1, 2}} {
		levels, err := a.LevelsOf(t.Context(), corrections.Rows{Arms: arms, Block: kind})
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		for b, cost := range total {
			if arms == nil || slices.ContainsFunc(arms, func(arm int) bool { return touches(b, arm) }) {
				want = append(want, cost)
			}
		}
		slices.Sort(want)
		if kind == corrections.UnitBlocks && !publiclog.Repeated(a.Facts.Slice) {
			continue // the accounting's own levels, which may be grouped
		}
		i := 0
		for _, level := range levels {
			for range level.Rows {
				if i == len(want) || !about(level.Cost, want[i]) {
					t.Fatalf("kind %d, arms %v: levels %v, want costs %v", kind, arms, levels, want)
				}
				i++
			}
		}
		if i != len(want) {
			t.Fatalf("kind %d, arms %v: %d blocks, want %d", kind, arms, i, len(want))
		}
	}
}

// Row blocks are the accounting's, joined over arms.
func TestRowLevels(t *testing.T) {
	l := &blockLog{}
	for i := range int64(9) {
		l.Experiment, l.Round, l.Arm = append(l.Experiment, 0), append(l.Round, i+1), append(l.Arm, int32(i%3))
		l.Reward, l.Unit, l.Batch.Batch, l.RewardRound = append(l.Reward, 0), append(l.Unit, i), append(l.Batch.Batch, 0), append(l.RewardRound, i+1)
	}
	a := accountsOf(t, l.open(t), blockProtocol(true))
	costs := rowCosts(t, a)
	for _, arms := range [][]int{nil, {1}, {0, 2}} {
		for _, kind := range []corrections.Kind{corrections.RowBlocks, corrections.UnitBlocks} { // every unit has one row
			levels, err := a.LevelsOf(t.Context(), corrections.Rows{Arms: arms, Block: kind})
			if err != nil {
				t.Fatal(err)
			}
			want, n := 0.0, int64(0)
			for row, c := range costs {
				if arms == nil || slices.Contains(arms, row%3) {
					want += c * c
					n++
				}
			}
			got := 0.0
			for _, level := range levels {
				got += float64(level.Rows) * level.Cost * level.Cost
				n -= level.Rows
			}
			if !about(got, want) || n != 0 {
				t.Errorf("arms %v: Σc² %v, want %v; %d rows too few", arms, got, want, n)
			}
		}
	}
}

func TestBlocksRefused(t *testing.T) {
	a := accountsOf(t, fourRounds(t), blockProtocol(true))
	visit := func(*corrections.Block) error { return nil }
	if err := a.WalkBlocks(context.Background(), corrections.RowBlocks, nil, nil, visit); err == nil {
		t.Error("rows are no blocks to walk over")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	refusal := errors.New("no more")
	for _, kind := range []corrections.Kind{corrections.UnitBlocks, corrections.BatchBlocks} {
		if err := a.WalkBlocks(ctx, kind, nil, nil, visit); !errors.Is(err, context.Canceled) {
			t.Errorf("kind %d: %v", kind, err)
		}
		if err := a.WalkBlocks(context.Background(), kind, nil, nil, func(*corrections.Block) error { return refusal }); !errors.Is(err, refusal) {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
	none := accountsOf(t, a.Facts.Slice, &schemas.Protocol{Reward: schemas.RewardSpec{Range: []float64{0, 1}}})
	if _, err := none.LevelsOf(t.Context(), corrections.Rows{Block: corrections.UnitBlocks}); err == nil {
		t.Error("no mechanism has no levels")
	}
	n := 0
	if err := none.WalkBlocks(context.Background(), corrections.BatchBlocks, nil, nil, func(b *corrections.Block) error {
		n++
		if b.Cost == b.Cost || len(b.Arms) != 1 || b.Of(0).N != 0 {
			t.Errorf("%+v", b)
		}
		return nil
	}); err != nil || n != 1 {
		t.Error(n, err)
	}
}
