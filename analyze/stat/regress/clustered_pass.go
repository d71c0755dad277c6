package regress

import "banditaudit/analyze/stat/moments/simd"

// AddBlock adds rows to the second pass of a plain model, given by columns:
// cluster[t] is the cluster of row t, x, y and pick are as in
// [Sandwich.AddBlock]. It panics if the columns differ in length, a row is not
// there, or the model is pooled. It returns an error that names two clusters if
// the numbers of the clusters fall; s then is of no further use.
func (s *Clustered) AddBlock(cluster []int64, x [][]float64, y []float64, pick []int32) error {
	if len(cluster) != len(y) {
		panic(badLength)
	}
	if s.model.layout != nil {
		panic(badModel)
	}
	return s.add(newWorkspace(s.model.coordinates(), simd.New()), &clusterRows{cluster, nil, x, y}, picked(x, y, pick))
}

// AddPooled adds the rows of a chunk to the second pass of a pooled model. A row
// whose arm is negative, or has no part in the model, is skipped. It panics if
// the columns differ in length or the model is not pooled. It returns an error
// that names the row if an arm is none of the model's labels, and one that names
// two clusters if their numbers fall; s then is of no further use.
func (s *Clustered) AddPooled(arm []int32, cluster []int64, x [][]float64, y []float64) error {
	if len(cluster) != len(y) {
		panic(badLength)
	}
	if s.model.layout == nil {
		panic(badModel)
	}
	if err := checkArms(arm, len(s.model.frames), x, len(y)); err != nil {
		return err
	}
	var pick []int32
	for t, a := range arm {
		if a >= 0 && s.model.frames[a] != nil {
			pick = append(pick, int32(t)) // a chunk has at most 2³¹ rows
		}
	}
	w := newWorkspace(s.model.coordinates(), simd.New())
	w.whole, w.byArm = newWorkspace(s.model.Rank, simd.New()), make([][]int32, len(s.model.frames))
	return s.add(w, &clusterRows{cluster, arm, x, y}, pick)
}

// AddClusteredByArm scatters the rows of a chunk to the second passes of
// per-arm models: row t, of cluster[t], goes to dst[arm[t]]. A row whose arm is
// negative, or whose entry is nil, is skipped. All columns have equal length and
// no model is pooled, otherwise it panics. It returns an error that names the row
// if an arm is len(dst) or more, and one that names two clusters if their numbers
// fall.
func AddClusteredByArm(dst []*Clustered, arm []int32, cluster []int64, x [][]float64, y []float64) error {
	if len(cluster) != len(y) {
		panic(badLength)
	}
	size := 0
	for _, s := range dst {
		if s == nil {
			continue
		}
		if s.model.layout != nil {
			panic(badModel)
		}
		size = max(size, s.model.coordinates())
	}
	if err := checkArms(arm, len(dst), x, len(y)); err != nil {
		return err
	}
	var failed error
	w := newWorkspace(size, simd.New())
	rows := &clusterRows{cluster, nil, x, y}
	eachArm(arm, len(dst), func(a int, pick []int32) {
		if dst[a] != nil && failed == nil {
			failed = dst[a].add(w, rows, pick)
		}
	})
	return failed
}

// clusterRows are the rows of a chunk; arm is nil for a plain model.
type clusterRows struct {
	cluster []int64
	arm     []int32
	x       [][]float64
	y       []float64
}

func (s *Clustered) add(w *workspace, rows *clusterRows, pick []int32) error {
	for len(pick) > 0 {
		n := min(len(pick), tileRows)
		if err := s.tile(w, rows, pick[:n]); err != nil {
			return err
		}
		pick = pick[n:]
	}
	return nil
}

// tile adds at most tileRows rows: each run of rows of one cluster becomes one
// row of sums.
func (s *Clustered) tile(w *workspace, rows *clusterRows, pick []int32) error {
	starts, err := s.runs(w.starts[:0], rows.cluster, pick)
	if err != nil {
		return err
	}
	w.starts = starts
	s.n += int64(len(pick))
	s.portions = make([]portion, len(starts))
	scores := w
	if rows.arm == nil {
		s.weighted(w, 0, rows, pick)
		for i, from := range starts {
			s.portion(w, 0, i, from, end(starts, i, len(pick)))
		}
		s.score(w, 0, len(pick))
		for i := range s.model.Rank {
			sumRuns(w.column(i, len(pick)), starts)
		}
	} else {
		scores = w.whole
		s.pooled(w, rows, pick)
	}
	ids := w.ids[:0]
	for _, i := range starts {
		ids = append(ids, rows.cluster[pick[i]])
	}
	w.ids = ids
	s.take(scores, ids)
	return nil
}

// weighted fills in the coordinates of rows of a frame, and looks at single rows.
func (s *Clustered) weighted(w *workspace, frame int, rows *clusterRows, pick []int32) {
	w.locate(s.model.frames[frame], rows.x, rows.y, pick)
	most := s.trace.take(w.h[:len(pick)])
	s.leverage = max(s.leverage, most)
	if most > examined {
		s.support.rows(w, frame, len(pick), false)
	}
	s.support.residuals(w, frame, len(pick))
}

// portion notes what rows from…to−1 of the tile carry, which are of run i. The
// first and the last run may be parts of large clusters.
func (s *Clustered) portion(w *workspace, frame, i, from, to int) {
	p, sum := &s.portions[i], 0.0
	for _, h := range w.h[from:to] {
		sum += h
	}
	p.rows += int64(to - from)
	p.leverage += sum
	least := examined
	if s.model.layout != nil {
		least /= 16 // other arms may have the rest
	}
	if i > 0 && i < len(s.portions)-1 && sum <= least {
		return
	}
	if p.gram == nil {
		p.gram = make([][]float64, len(s.model.frames))
	}
	p.gram[frame] = w.gram(p.gram[frame], s.model.frames[frame].size(), from, to)
}

// score multiplies the coordinates of n rows by their residuals.
func (s *Clustered) score(w *workspace, frame, n int) {
	for i := range s.model.frames[frame].size() {
		w.kernel.Scale(w.column(i, padded(n)), w.e)
	}
}

// end is where run i of n rows ends.
func end(starts []int, i, n int) int {
	if i+1 < len(starts) {
		return starts[i+1]
	}
	return n
}

// pooled sums the rows of each run of a pooled model, arm by arm, in the basis of
// the whole design.
func (s *Clustered) pooled(w *workspace, rows *clusterRows, pick []int32) {
	for a := range w.byArm {
		w.byArm[a] = w.byArm[a][:0]
	}
	run, of := -1, make([]int32, 0, tileRows) // by arm, then row: the run
	for i, t := range pick {
		if run+1 < len(w.starts) && w.starts[run+1] == i {
			run++
		}
		a := rows.arm[t]
		w.byArm[a] = append(w.byArm[a], int32(i)) // at most tileRows
		of = append(of, int32(run))               // at most tileRows
	}
	for q := range s.model.Rank {
		clear(w.whole.column(q, len(w.starts)))
	}
	for a, places := range w.byArm {
		if len(places) == 0 {
			continue
		}
		f := s.model.frames[a]
		own, arm := make([]int, 0, len(places)), make([]int32, len(places))
		for i, p := range places {
			arm[i] = pick[p]
			if i == 0 || of[p] != of[places[i-1]] {
				own = append(own, i)
			}
		}
		s.weighted(w, a, rows, arm)
		for i, from := range own {
			s.portion(w, a, int(of[places[from]]), from, end(own, i, len(places)))
		}
		s.score(w, a, len(places))
		for k, direction := range f.directions {
			v := w.column(k, len(places))
			sumRuns(v, own)
			for q, d := range direction {
				column := w.whole.column(q, len(w.starts))
				for i, from := range own {
					column[of[places[from]]] += float64(d * v[i])
				}
			}
		}
	}
}

// take adds the scores of runs, a row of w for each: clusters that begin and end here go
// into the meat together.
func (s *Clustered) take(w *workspace, clusters []int64) {
	s.clusters += int64(len(clusters))
	last, from := len(clusters)-1, 0
	for ; from <= last && (from == 0 || s.head.sum == nil); from++ {
		s.next(s.at(w, clusters[from], from))
	}
	if from > last {
		return
	}
	s.end()
	s.open = s.at(w, clusters[last], last)
	if from < last {
		for i := from; i < last; i++ {
			s.squares += s.portions[i].square()
			if s.portions[i].leverage > examined {
				g := s.at(w, clusters[i], i)
				s.support.cluster(&g)
			}
		}
		s.between(w, from, last)
	}
}

// runs lists where a cluster begins among the picked rows.
func (s *Clustered) runs(starts []int, cluster []int64, pick []int32) ([]int, error) {
	if err := s.follows(cluster[pick[0]]); err != nil {
		return nil, err
	}
	before := int64(0)
	for i, t := range pick {
		g := cluster[t]
		if i == 0 || g != before {
			starts = append(starts, i)
		}
		if i > 0 && g < before {
			return nil, disorderError(g, before)
		}
		before = g
	}
	return starts, nil
}

// sumRuns writes the sum of each run of v to the front of v.
func sumRuns(v []float64, starts []int) {
	for i, from := range starts {
		sum := v[from]
		for _, u := range v[from+1 : end(starts, i, len(v))] {
			sum += u
		}
		v[i] = sum
	}
}

// at is row i of the tile, which sums run i.
func (s *Clustered) at(w *workspace, cluster int64, i int) score {
	sum := make([]float64, s.model.Rank)
	for j := range sum {
		sum[j] = w.v[j*w.stride+i]
	}
	return score{cluster, sum, s.portions[i]}
}

// between adds the clusters from…to−1 of the tile to the meat. Rows around
// them are set to 0.
func (s *Clustered) between(w *workspace, from, to int) {
	rows := (to + 3) &^ 3
	for i := range s.model.Rank {
		v := w.column(i, rows)
		clear(v[:from])
		clear(v[to:])
	}
	w.products(s.meat, s.model.Rank, rows)
}
