package ingest

import (
	"context"

	"banditaudit/schemas"
)

// firstPass reads the experiment and order columns, and the action where arms
// are not declared: who is in the log, and whether it is in order already.
type firstPass struct {
	log         *logFiles
	keys        *keys
	experiments *labels
	arms        *labels // found so far; nil when they are declared
	tooMany     bool
	ties        tieRule
	sorted      bool
	count       []int64 // rows by experiment
	gaps        []int64 // by experiment
	runs        []int32 // experiments in the order in which they came
	bad         []bool  // by row of the block
	last        struct {
		any        bool
		experiment int32
		key        key
		place      Place
	}
	counting bool
	full     error // the memory for labels is used up
}

// maxExperiments bounds the experiments of one log.
const maxExperiments = 1 << 24

func newFirstPass(p *schemas.Protocol, l *logFiles) *firstPass {
	f := &firstPass{log: l, keys: newKeys(l), sorted: true, experiments: newLabels(nil)}
	f.counting = f.keys.counts(l)
	if p.Experiment.Column == "" {
		f.experiments.add(p.Experiment.ID)
		f.count, f.gaps = []int64{0}, []int64{0}
	}
	if len(p.Arms) == 0 {
		f.arms = newLabels(nil)
	}
	f.ties = tieRule{log: l, keys: f.keys, allowed: p.Log.Ties == tiesFileOrder}
	return f
}

func (f *firstPass) run(ctx context.Context, progress func(int64)) error {
	s := scanner{log: f.log, progress: progress, ask: func(w *want) bool {
		return w.role == roleExperiment || w.role == roleOrder || w.role == roleAction && f.arms != nil
	}}
	if err := s.scan(ctx, f.block); err != nil {
		return err
	}
	f.sorted = f.sorted && f.inOrder()
	if f.sorted {
		f.ties.report()
	}
	return nil
}

// inOrder reports whether the experiments came in the order of their ids.
func (f *firstPass) inOrder() bool {
	order := labelOrder(f.experiments.names)
	for i := 1; i < len(f.runs); i++ {
		if order(f.experiments.names[f.runs[i-1]], f.experiments.names[f.runs[i]]) >= 0 {
			return false
		}
	}
	return true
}

func (f *firstPass) block(r *rows) error {
	f.bad = resizeTo(f.bad, r.n)
	clear(f.bad)
	f.keys.load(r, f.log.faults, func(i int) { f.bad[i] = true })
	for i := range r.n {
		code := int32(0)
		if f.experimentWant() >= 0 {
			code = f.experiment(r, i)
		}
		if code >= 0 {
			f.count[code]++
			if !f.bad[i] {
				f.follow(r, i, code)
			}
		}
	}
	f.discover(r)
	if f.full != nil {
		return resourceError(r.uri, f.full)
	}
	return nil
}

// number numbers a new label, whose memory is booked.
func (f *firstPass) number(l *labels, label string) int32 {
	if err := f.log.budget.Take(int64(len(label)) + labelBytes); err != nil {
		f.full = err
	}
	return l.add(label)
}

// experimentWant is the position of the experiment column, or -1.
func (f *firstPass) experimentWant() int {
	if f.log.wants[0].role == roleExperiment {
		return 0
	}
	return -1
}

// experiment returns the number of row i's experiment, or -1 for a fault.
func (f *firstPass) experiment(r *rows, i int) int32 {
	w := f.experimentWant()
	b, c, name := r.cols[w], r.types[w], f.log.wants[w].name
	if b.Nulls > 0 && b.Null[i] {
		f.log.faults.row(RuleNull, name, r.place(i), "a null in the experiment column", "leave the row out, or name its experiment")
		return -1
	}
	if code, ok := f.experiments.find(b, c, i); ok {
		return code
	}
	label := labelAt(b, c, i)
	if !isText(label) {
		f.log.faults.row(RuleNotText, name, r.place(i), "an experiment id that is not a text in UTF-8 of at most 4,096 bytes", "write ids as short texts in UTF-8")
		return -1
	}
	if len(f.experiments.names) == maxExperiments {
		f.log.faults.row(RuleType, name, r.place(i), "more than 16,777,216 experiments", "check that this is the experiment column")
		return -1
	}
	f.count, f.gaps = append(f.count, 0), append(f.gaps, 0)
	return f.number(f.experiments, label)
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
			f.ties.add(last.place, r.place(i))
		}
		if f.counting && f.keys.columns[0].numbers[i] != last.key.numbers[0]+1 {
			f.gaps[code]++
		}
	}
	last.any, last.experiment, last.place = true, code, r.place(i)
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
		if f.log.wants[w].role != roleAction {
			continue
		}
		b, c := r.cols[w], r.types[w]
		for i := range r.n {
			if b.Nulls > 0 && b.Null[i] {
				continue // the second pass reports it
			}
			if _, ok := f.arms.find(b, c, i); ok {
				continue
			}
			label := labelAt(b, c, i)
			if len(f.arms.names) == maxArms {
				f.log.faults.row(RuleArms, f.log.wants[w].name, r.place(i), "more than 65,536 distinct actions", "check that this is the action column, or declare the arms")
				f.tooMany = true
				return
			}
			if isText(label) {
				f.number(f.arms, label)
			}
		}
	}
}
