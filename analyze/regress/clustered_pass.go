package regress

import "banditaudit/analyze/moments/lanes"

// AddBlock adds rows given by columns: cluster[t] is the cluster of row t, x, y
// and pick are as in [Sandwich.AddBlock]. It panics if the columns differ in
// length or a row is not there. It returns an error that names two clusters if
// the numbers of the clusters fall; s then is of no further use.
func (s *Clustered) AddBlock(cluster []int64, x [][]float64, y []float64, pick []int32) error {
	if len(cluster) != len(y) {
		panic(badLength)
	}
	return s.add(newWorkspace(s.model.Rank, lanes.New()), cluster, x, y, picked(x, y, pick))
}

// AddClusteredByArm scatters the rows of a chunk to the second passes of
// per-arm models: row t, of cluster[t], goes to dst[arm[t]]. A row whose arm is
// negative, or whose entry is nil, is skipped. All columns have equal length,
// otherwise it panics. It returns an error that names the row if an arm is
// len(dst) or more, and one that names two clusters if their numbers fall.
func AddClusteredByArm(dst []*Clustered, arm []int32, cluster []int64, x [][]float64, y []float64) error {
	if len(cluster) != len(y) {
		panic(badLength)
	}
	if err := checkArms(arm, len(dst), x, y); err != nil {
		return err
	}
	rank := 0
	for _, s := range dst {
		if s != nil {
			rank = max(rank, s.model.Rank)
		}
	}
	var failed error
	w := newWorkspace(rank, lanes.New())
	eachArm(arm, len(dst), func(a int, rows []int32) {
		if dst[a] != nil && failed == nil {
			failed = dst[a].add(w, cluster, x, y, rows)
		}
	})
	return failed
}

func (s *Clustered) add(w *workspace, cluster []int64, x [][]float64, y []float64, pick []int32) error {
	for len(pick) > 0 {
		n := min(len(pick), tileRows)
		if err := s.tile(w, cluster, x, y, pick[:n]); err != nil {
			return err
		}
		pick = pick[n:]
	}
	return nil
}

// tile adds at most tileRows rows: each run of rows of one cluster becomes one
// row of sums, and those of clusters that end here go into the meat together.
func (s *Clustered) tile(w *workspace, cluster []int64, x [][]float64, y []float64, pick []int32) error {
	starts, err := s.runs(w.starts[:0], cluster, pick)
	if err != nil {
		return err
	}
	w.starts = starts
	rows, r := w.locate(s.model, x, y, pick), s.model.Rank
	s.n += int64(len(pick))
	for _, h := range w.h[:len(pick)] {
		s.leverage = max(s.leverage, h)
	}
	for i := range r {
		v := w.column(i, rows)
		w.kernel.Scale(v, w.e)
		sumRuns(v, starts, len(pick))
	}
	s.clusters += int64(len(starts))
	last := len(starts) - 1
	from := 0 // of the runs that begin and end here
	for ; from <= last && (from == 0 || s.head.sum == nil); from++ {
		s.next(w.score(cluster[pick[starts[from]]], from, r))
	}
	if from > last {
		return nil
	}
	s.end()
	s.open.cluster, s.open.sum = cluster[pick[starts[last]]], w.score(0, last, r).sum
	s.between(w, from, last)
	return nil
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

// sumRuns writes the sum of each run of v[:n] to the front of v.
func sumRuns(v []float64, starts []int, n int) {
	for i, from := range starts {
		to := n
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		sum := v[from]
		for _, u := range v[from+1 : to] {
			sum += u
		}
		v[i] = sum
	}
}

// score copies row i of the tile.
func (w *workspace) score(cluster int64, i, r int) score {
	sum := make([]float64, r)
	for j := range sum {
		sum[j] = w.v[j*stride+i]
	}
	return score{cluster, sum}
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
