package moments

// sorter orders rows by arm and keeps their order within an arm.
type sorter struct {
	count []int32 // of arm a at a+1; 0 counts the rows to be skipped
	next  []int32 // likewise: where the next row of the arm goes
}

func newSorter(arms int) *sorter {
	return &sorter{count: make([]int32, arms+1), next: make([]int32, arms+1)}
}

// sort is a counting sort of the rows from…to−1. The rows of each arm begin at
// a multiple of four, and dst has room for that; those to be skipped come last.
func (s *sorter) sort(dst, arm []int32, from, to int) {
	count, next, part := s.count, s.next, arm[from:to] // locals stay in registers
	clear(count)
	for _, a := range part {
		count[max(a, -1)+1]++
	}
	at := int32(0)
	for a, n := range count[1:] {
		next[a+1] = at
		at += (n + 3) &^ 3
	}
	next[0] = at
	for t, a := range part {
		a = max(a, -1) + 1
		place := next[a]
		next[a] = place + 1
		dst[place] = int32(from + t) //nolint:gosec // a chunk has at most 2³¹ rows
	}
}

// rows is the number of rows of an arm.
func (s *sorter) rows(arm int) int { return int(s.count[arm+1]) }

// start is where the rows of an arm begin.
func (s *sorter) start(arm int) int { return int(s.next[arm+1] - s.count[arm+1]) }
