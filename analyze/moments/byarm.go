package moments

// sortRows is how many rows are ordered by arm at a time; their columns stay in
// the second-level cache while the arms take turns.
const sortRows = 4096

// AddByArm scatters the rows of a chunk: row t is added to dst[arm[t]].
// x[j][t] is covariate j of row t and y[t] its response; arm, y and every
// column have equal length, and every accumulator that is not nil has len(x)
// covariates; otherwise it panics. A row whose arm is negative, or whose
// accumulator is nil, is skipped. It returns an error that names the row if an
// arm is len(dst) or more; dst then is as it was before.
func AddByArm(dst []*Cross, arm []int32, x [][]float64, y []float64) error {
	if err := checkScatter(dst, arm, x, y); err != nil {
		return err
	}
	w := newTile(len(x) + 1)
	s := newSorter(len(dst), min(sortRows, len(arm)))
	for start := 0; start < len(arm); start += sortRows {
		end := min(start+sortRows, len(arm))
		s.sort(arm, start, end)
		for a, c := range dst {
			if c != nil {
				s.feed(a, func(pick []int32) { w.rows(c, x, y, pick) })
			}
		}
	}
	return nil
}

func checkScatter(dst []*Cross, arm []int32, x [][]float64, y []float64) error {
	if len(arm) != len(y) {
		panic(badLength)
	}
	for _, c := range dst {
		if c != nil {
			c.check(x, y)
		}
	}
	return checkArms(arm, len(dst))
}

// sorter lists the rows of a block by arm, keeping their order within an arm.
type sorter struct {
	first []int32 // first[a] is where arm a begins in rows; one more at the end
	next  []int32
	rows  []int32
}

func newSorter(arms, rows int) *sorter {
	return &sorter{first: make([]int32, arms+1), next: make([]int32, arms), rows: make([]int32, rows)}
}

// sort is a counting sort of the rows start…end−1.
func (s *sorter) sort(arm []int32, start, end int) {
	clear(s.first)
	for _, a := range arm[start:end] {
		if a >= 0 {
			s.first[a+1]++
		}
	}
	for a := range s.next {
		s.next[a] = s.first[a]
		s.first[a+1] += s.first[a]
	}
	for t := start; t < end; t++ {
		if a := arm[t]; a >= 0 {
			s.rows[s.next[a]] = int32(t) //nolint:gosec // a chunk has at most 2³¹ rows
			s.next[a]++
		}
	}
}

// feed hands the rows of one arm over, at most a tile at a time.
func (s *sorter) feed(arm int, take func(pick []int32)) {
	rows := s.rows[s.first[arm]:s.first[arm+1]]
	for len(rows) > tileRows {
		take(rows[:tileRows])
		rows = rows[tileRows:]
	}
	if len(rows) > 0 {
		take(rows)
	}
}
