package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// sorter holds all rows of a log that is not in order, converted, and sorts
// them. What it holds is booked in the budget.
type sorter struct {
	log   *logFiles
	keys  *keys
	rank  []int32
	rows  int
	all   converted
	num   [][]int64  // by order column that is not text
	text  [][]string // by order column that is text
	order []int32    // rows, sorted
}

// maxSorted is the number of rows that can be sorted in memory at all.
const maxSorted = 1<<31 - 1

// textGrain is about the step in which a small text's memory grows.
const textGrain = 16

// bytesPerRow is what a row takes in memory, texts of order columns apart.
func (s *sorter) bytesPerRow(propensity bool, contexts int) int64 {
	n := int64(4 + 4 + 4 + 8 + 8*contexts) // experiment, arm, order, reward, contexts
	if propensity {
		n += 8
	}
	for i := range s.keys.columns {
		if s.keys.columns[i].text {
			n += 8
		}
		n += 8
	}
	return n
}

// newSorter makes room for all rows of a log.
func newSorter(l *logFiles, k *keys, rank []int32, c *converter) (*sorter, error) {
	s := &sorter{log: l, keys: k, rank: rank}
	need := l.rows * s.bytesPerRow(c.out.propensity != nil, len(c.out.x))
	if l.rows > maxSorted {
		return nil, fmt.Errorf("ingest: the log is not in order, and %d rows are too many to sort in memory: %w; %s", l.rows, ErrResource, mendSort(l))
	}
	if err := l.budget.Take(need); err != nil {
		return nil, fmt.Errorf("ingest: the log is not in order, and sorting it in memory takes %d MiB: %w: %w; raise --max-memory, or %s", need>>20+1, ErrResource, err, mendSort(l))
	}
	s.rows = int(l.rows)
	s.all = converted{experiment: make([]int32, 0, s.rows), arm: make([]int32, 0, s.rows), reward: make([]float64, 0, s.rows), x: make([][]float64, len(c.out.x))}
	if c.out.propensity != nil {
		s.all.propensity = make([]float64, 0, s.rows)
	}
	for j := range s.all.x {
		s.all.x[j] = make([]float64, 0, s.rows)
	}
	s.num, s.text = make([][]int64, len(k.columns)), make([][]string, len(k.columns))
	for j := range k.columns {
		if k.columns[j].text {
			s.text[j] = make([]string, 0, s.rows)
		} else {
			s.num[j] = make([]int64, 0, s.rows)
		}
	}
	return s, nil
}

// mendSort says how to sort the log before it is audited.
func mendSort(l *logFiles) string {
	var by []string
	for _, w := range l.wants {
		if w.role == roleExperiment || w.role == roleOrder {
			by = append(by, w.name)
		}
	}
	return printable("export it in order: ORDER BY " + strings.Join(by, ", "))
}

// add takes a block.
func (s *sorter) add(r *rows, c *converted) error {
	s.keys.load(r, &faults{}, func(int) {}) // the first pass reported what is wrong with them
	s.all.experiment = append(s.all.experiment, c.experiment...)
	s.all.arm = append(s.all.arm, c.arm...)
	s.all.reward = append(s.all.reward, c.reward...)
	s.all.propensity = append(s.all.propensity, c.propensity...)
	for j := range s.all.x {
		s.all.x[j] = append(s.all.x[j], c.x[j]...)
	}
	for j := range s.keys.columns {
		k := &s.keys.columns[j]
		if !k.text {
			s.num[j] = append(s.num[j], k.numbers[:r.n]...)
			continue
		}
		size := int64(0)
		for _, t := range k.texts[:r.n] {
			size += int64(len(t)+textGrain-1) / textGrain * textGrain
			s.text[j] = append(s.text[j], string(t))
		}
		if err := s.log.budget.Take(size); err != nil {
			return fmt.Errorf("ingest: the log is not in order, and is too large to sort in memory: %w: %w; raise --max-memory, or %s", ErrResource, err, mendSort(s.log))
		}
	}
	return nil
}

// sort puts the rows in order; rows of equal order stay as they came.
func (s *sorter) sort() {
	s.order = make([]int32, len(s.all.arm))
	for i := range s.order {
		s.order[i] = int32(i)
	}
	slices.SortFunc(s.order, func(a, b int32) int { return cmp.Or(s.compare(a, b), cmp.Compare(a, b)) })
}

// compare compares two rows by experiment and order columns.
func (s *sorter) compare(a, b int32) int {
	if d := cmp.Compare(s.rank[s.all.experiment[a]], s.rank[s.all.experiment[b]]); d != 0 {
		return d
	}
	for j := range s.keys.columns {
		var d int
		if s.keys.columns[j].text {
			d = strings.Compare(s.text[j][a], s.text[j][b])
		} else {
			d = cmp.Compare(s.num[j][a], s.num[j][b])
		}
		if d != 0 {
			return d
		}
	}
	return 0
}

// inspect reports ties and, for an order of one column of whole numbers,
// counts gaps by experiment.
func (s *sorter) inspect(ties *tieRule, gaps []int64, counting bool) {
	for i := 1; i < len(s.order); i++ {
		a, b := s.order[i-1], s.order[i]
		code := s.all.experiment[b]
		if s.all.experiment[a] != code {
			continue
		}
		if s.compare(a, b) == 0 {
			ties.add(s.log.placeOf(int64(a)), s.log.placeOf(int64(b)))
		}
		if counting && s.num[0][b] != s.num[0][a]+1 {
			gaps[code]++
		}
	}
	ties.report()
}

// emit hands the rows on in order, in blocks.
func (s *sorter) emit(stop func() error, to func(*converted) error) error {
	block := converted{x: make([][]float64, len(s.all.x))}
	for rest := s.order; len(rest) > 0; {
		if err := stop(); err != nil {
			return err
		}
		part := rest[:min(len(rest), blockRows)]
		rest = rest[len(part):]
		block.experiment = gather(block.experiment, s.all.experiment, part)
		block.arm = gather(block.arm, s.all.arm, part)
		block.reward = gather(block.reward, s.all.reward, part)
		if s.all.propensity != nil {
			block.propensity = gather(block.propensity, s.all.propensity, part)
		}
		for j := range block.x {
			block.x[j] = gather(block.x[j], s.all.x[j], part)
		}
		if err := to(&block); err != nil {
			return err
		}
	}
	return nil
}

func gather[T any](dst, src []T, rows []int32) []T {
	dst = resizeTo(dst, len(rows))
	for i, r := range rows {
		dst[i] = src[r]
	}
	return dst
}

// placeOf names a row by its number over all files.
func (l *logFiles) placeOf(row int64) Place {
	for i := range l.inputs {
		in := &l.inputs[i]
		if row >= in.rows {
			row -= in.rows
			continue
		}
		at := Place{File: in.URI, Row: row}
		for _, n := range in.groups {
			if row < n {
				break
			}
			row -= n
			at.RowGroup++
		}
		return at
	}
	return Place{}
}
