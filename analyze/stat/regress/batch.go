package regress

import "banditaudit/analyze/stat/moments/simd"

// batch gathers rows that were ordered by arm, column after column: a column is
// gathered for all arms before the next, while it is in the first-level cache.
type batch struct {
	*workspace
	frames   []*frame // by arm; nil where rows do not count
	arm      []int32
	most     int       // rows at a time
	rows     [][]int32 // by arm
	segments []segment
	all      []float64 // the columns, of which a tile is a view
	allEH    []float64
}

// segment is the rows of one arm, next to each other in the columns.
type segment struct {
	arm   int
	start int // a multiple of 16
	pick  []int32
	next  int // of the frame's kept columns, the one to be gathered
}

func newBatch(frames []*frame, arm []int32) *batch {
	size := 0
	for _, f := range frames {
		if f != nil {
			size = max(size, f.size())
		}
	}
	b := &batch{workspace: &workspace{kernel: simd.New()}, frames: frames, arm: arm, rows: make([][]int32, len(frames))}
	b.most = min(max(sortRows, armRows*len(frames)), len(arm))
	b.stride = (b.most+16*min(b.most, len(frames))+7)&^7 + 8 // off the powers of two
	b.all, b.allEH = make([]float64, size*b.stride+tileRows), make([]float64, 2*b.stride+tileRows)
	return b
}

// each hands over the rows of the chunk, located, at most tileRows of one arm at a
// time. y may be nil.
func (b *batch) each(x [][]float64, y []float64, visit func(w *workspace, arm int, pick []int32)) {
	for from := 0; from < len(b.arm); from += b.most {
		to := min(from+b.most, len(b.arm))
		sortByArm(b.rows, b.arm, from, to)
		b.lay()
		b.gatherAll(x, y, from, to)
		for _, s := range b.segments {
			for at := 0; at < len(s.pick); at += tileRows {
				pick := s.pick[at:min(at+tileRows, len(s.pick))]
				b.view(b.all[s.start+at:], b.allEH[s.start+at:])
				b.solve(b.frames[s.arm], padded(len(pick)), y != nil)
				visit(b.workspace, s.arm, pick)
			}
		}
	}
}

// lay gives the rows of each arm their place.
func (b *batch) lay() {
	b.segments = b.segments[:0]
	at := 0
	for a, rows := range b.rows {
		if len(rows) > 0 && b.frames[a] != nil {
			b.segments = append(b.segments, segment{arm: a, start: at, pick: rows})
			at += padded(len(rows))
		}
	}
}

// gatherAll gathers all columns of rows from…to−1. The processor is told
// beforehand of the column after this one, and at the end of the first column's
// next rows.
func (b *batch) gatherAll(x [][]float64, y []float64, from, to int) {
	for j, col := range x {
		switch {
		case j+1 < len(x):
			b.gatherColumn(j, col, x[j+1][from:])
		case y != nil:
			b.gatherColumn(j, col, y[from:])
		default:
			b.gatherColumn(j, col, x[0][to:])
		}
	}
	if y == nil {
		return
	}
	ahead := y[to:]
	if len(x) > 0 {
		ahead = x[0][to:]
	}
	for i := range b.segments {
		s := &b.segments[i]
		f := b.frames[s.arm]
		b.gather(b.allEH[s.start:][:padded(len(s.pick))], y, s.pick, f.yShift, f.yOffset, ahead[min(s.start, len(ahead)):])
	}
}

// gatherColumn gathers column j of the frames that have it.
func (b *batch) gatherColumn(j int, col, ahead []float64) {
	for i := range b.segments {
		s := &b.segments[i]
		f := b.frames[s.arm]
		if s.next == len(f.kept) || f.kept[s.next] != j {
			continue
		}
		k := s.next
		s.next++
		dst := b.all[(f.first()+k)*b.stride+s.start:][:padded(len(s.pick))]
		b.gather(dst, col, s.pick, f.shift[k], f.offset[k], ahead[min(s.start, len(ahead)):])
	}
}
