package ingest

import (
	"context"
	"fmt"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// firstPass reads the experiment and order columns, and the action where arms
// are not declared: who is in the log, and whether it is in order already.
type firstPass struct {
	log         *logFiles
	keys        *keys
	experiments *cell.Labels
	arms        *cell.Labels // found so far; nil when they are declared
	tooMany     bool
	ties        tieRule
	sorted      bool
	count       []int64      // rows by experiment
	gaps        []int64      // by experiment
	spans       []orderSpan  // of the order columns that may hold times
	runs        []int32      // experiments in the order in which they came
	bad         []bool       // by row of the block
	codes       []int32      // experiments by row of the block; -1 for a fault
	units       *unitKeys    // nil where the protocol declares none
	rewards     *rewardTimes // nil where the protocol declares no reward_order
	last        struct {
		any        bool
		experiment int32
		key        key
		row        int64
	}
	step int64 // from a whole number to the next, of the one order column; 0: gaps are not counted
	full error // the memory for labels is used up
}

// maxExperiments bounds the experiments of one log.
const maxExperiments = 1 << 24

func newFirstPass(p *schemas.Protocol, l *logFiles) *firstPass {
	f := &firstPass{log: l, keys: newKeys(l), sorted: true, experiments: cell.NewLabels(nil)}
	f.step, f.spans = f.keys.wholeStep(l), newSpans(l, f.keys)
	if p.Experiment.Column == "" {
		f.experiments.Add(p.Experiment.ID)
		f.count, f.gaps = []int64{0}, []int64{0}
	}
	if len(p.Arms) == 0 {
		f.arms = cell.NewLabels(nil)
	}
	f.ties = tieRule{log: l, keys: f.keys, allowed: p.Log.Ties == schemas.TiesFileOrder}
	return f
}

// run makes the pass; beside has what is sorted beside it.
func (f *firstPass) run(ctx context.Context, b *beside, progress func(int64)) error {
	f.units, f.rewards = b.units, b.rewards
	s := scanner{log: f.log, progress: progress, ask: func(w *role.Want) bool {
		return w.Reads(role.First) || w.Role == role.Action && f.arms != nil
	}}
	if err := s.scan(ctx, f.block); err != nil {
		return err
	}
	f.sorted = f.sorted && f.inOrder()
	f.runs = nil // as many as there are experiments
	if f.sorted {
		f.ties.report()
	}
	return fault.Stopped(ctx)
}

// inOrder reports whether the experiments came in the order of their ids.
func (f *firstPass) inOrder() bool {
	order := cell.LabelOrder(f.experiments.Names)
	for i := 1; i < len(f.runs); i++ {
		if order(f.experiments.Names[f.runs[i-1]], f.experiments.Names[f.runs[i]]) >= 0 {
			return false
		}
	}
	return true
}

func (f *firstPass) block(r *rows) error {
	f.bad, f.codes = cell.Resize(f.bad, r.n), cell.Resize(f.codes, r.n)
	clear(f.bad)
	f.keys.load(r, f.log.faults, func(i int) { f.bad[i] = true })
	for j := range f.keys.columns {
		f.keys.columns[j].span(r.n)
		f.keys.columns[j].asNumbers(r)
	}
	if !f.plain(r) {
		f.rows(r)
	}
	if f.full == nil {
		f.span(r.n)
	}
	f.discover(r)
	if err := f.exhausted(r); err != nil {
		return err
	}
	return f.also(r)
}

// exhausted says that there is no memory for the labels of a block.
func (f *firstPass) exhausted(r *rows) error {
	if f.full == nil {
		return nil
	}
	return fmt.Errorf("ingest: %s: %w: %w; raise --max-memory, or give fewer experiments at a time", schemas.Printable(r.uri), fault.ErrResource, f.full)
}

// rows looks at a block row by row.
func (f *firstPass) rows(r *rows) {
	for i := range r.n {
		code := int32(0)
		if f.experimentWant() >= 0 {
			code = f.experiment(r, i)
		}
		if f.full != nil {
			return // block says so
		}
		f.codes[i] = code
		if code >= 0 {
			f.count[code]++
			if !f.bad[i] {
				f.follow(r, i, code)
			}
		}
	}
}

// also takes what the rows' units and the times of their rewards are sorted
// by.
func (f *firstPass) also(r *rows) error {
	if f.units != nil {
		if err := f.units.block(r, f.codes); err != nil {
			return err
		}
	}
	if f.rewards != nil {
		return f.rewards.block(r, f)
	}
	return nil
}

// number numbers a new label. It books the label's text and bytes more bytes.
func (f *firstPass) number(l *cell.Labels, label string, bytes int64) int32 {
	if err := f.log.budget.Take(int64(len(label)) + bytes); err != nil && f.full == nil {
		f.full = fmt.Errorf("%d experiments and %d arms: %w", len(f.experiments.Names), f.armCount(), err)
	}
	return l.Add(label)
}

// armCount is the number of arms that were found.
func (f *firstPass) armCount() int {
	if f.arms == nil {
		return 0
	}
	return len(f.arms.Names)
}

// experimentWant is the position of the experiment column, or -1.
func (f *firstPass) experimentWant() int {
	if f.log.wants[0].Role == role.Experiment {
		return 0
	}
	return -1
}

// experiment returns the number of row i's experiment, or -1 for a fault.
func (f *firstPass) experiment(r *rows, i int) int32 {
	w := f.experimentWant()
	b, c, name := r.cols[w], r.types[w], f.log.wants[w].Name
	if b.Nulls > 0 && b.Null[i] {
		f.log.faults.Row(fault.RuleNull, name, r.place(i), "a null in the experiment column", "leave the row out, or name its experiment")
		return -1
	}
	if code, ok := f.experiments.Find(b, c, i); ok {
		return code
	}
	label := cell.LabelAt(b, c, i)
	if label == "" {
		f.log.faults.Row(fault.RuleNotText, name, r.place(i), whatEmpty, "name the experiment, or leave the row out")
		return -1
	}
	if !cell.IsText(label) {
		f.log.faults.Row(fault.RuleNotText, name, r.place(i), "an experiment id that is not a text in UTF-8 of at most 4,096 bytes without a zero byte", "write ids as short texts in UTF-8")
		return -1
	}
	if len(f.experiments.Names) == maxExperiments {
		f.log.faults.Row(fault.RuleType, name, r.place(i), "more than 16,777,216 experiments", "check that this is the experiment column")
		return -1
	}
	f.count, f.gaps = append(f.count, 0), append(f.gaps, 0)
	return f.number(f.experiments, label, cell.ExperimentBytes+int64(len(f.spans))*cell.SpanBytes)
}

// follow compares row i with the one before it.
func (f *firstPass) follow(r *rows, i int, code int32) {
	last := &f.last
	if !last.any || last.experiment != code {
		if f.count[code] > 1 && last.any {
			f.sorted = false // the experiment was left and is come back to
		}
		f.runs = append(f.runs, code)
	} else if f.sorted {
		switch d := f.keys.compare(i, &last.key); {
		case d < 0:
			f.sorted = false
		case d == 0:
			f.ties.add(last.row, r.first+int64(i))
		}
		if f.step > 0 && f.keys.columns[0].numbers[i] != last.key.numbers[0]+f.step {
			f.gaps[code]++
		}
	}
	last.any, last.experiment, last.row = true, code, r.first+int64(i)
	if f.sorted {
		f.keys.keep(i, &last.key)
	} else {
		f.runs = f.runs[:0]
	}
}

// discover collects the arms of a block.
func (f *firstPass) discover(r *rows) {
	if f.arms == nil || f.tooMany {
		return
	}
	for w := range f.log.wants {
		if f.log.wants[w].Role != role.Action {
			continue
		}
		b, c := r.cols[w], r.types[w]
		for i := range r.n {
			if b.Nulls > 0 && b.Null[i] {
				continue // the second pass reports it
			}
			if _, ok := f.arms.Find(b, c, i); ok {
				continue
			}
			if f.full != nil {
				return // block says so
			}
			label := cell.LabelAt(b, c, i)
			if len(f.arms.Names) == cell.MaxArms {
				f.log.faults.Row(fault.RuleArms, f.log.wants[w].Name, r.place(i), "more than 65,536 distinct actions", "check that this is the action column, or declare the arms")
				f.tooMany = true
				return
			}
			if label != "" && cell.IsText(label) { // the second pass reports others
				f.number(f.arms, label, cell.LabelBytes)
			}
		}
	}
}

// plain takes a block of the only experiment whose one order key, a number,
// increases from row to row, and reports whether it is such a block: most logs
// have no others. It does what rows does, and nothing where it reports false.
func (f *firstPass) plain(r *rows) bool {
	if f.experimentWant() >= 0 || !f.sorted || !f.last.any || len(f.keys.columns) != 1 || f.keys.columns[0].text || slices.Contains(f.bad, true) {
		return false
	}
	gaps, before := int64(0), f.last.key.numbers[0]
	for _, v := range f.keys.columns[0].numbers[:r.n] {
		if v <= before {
			return false
		}
		if v != before+f.step {
			gaps++
		}
		before = v
	}
	clear(f.codes)
	f.count[0] += int64(r.n)
	if f.step > 0 {
		f.gaps[0] += gaps
	}
	f.last.row = r.first + int64(r.n) - 1
	f.keys.keep(r.n-1, &f.last.key)
	return true
}
