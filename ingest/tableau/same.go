package tableau

import (
	"bytes"
	"hash/fnv"
)

// Contents are the names of the columns that say what a round was, and not where it stands
// among the others, without its reward, and without x0, x1, …, which the log has other
// names for.
func (s *Slice) Contents() []string {
	var names []string
	for i, c := range columns() {
		if !c.place && i != colReward && i != colContext && c.there(&s.t.schema) {
			names = append(names, c.name)
		}
	}
	return names
}

// Same reports whether two rows of the experiment, in [0, Rows()), have the same reward,
// x0, x1, … and Contents, bit by bit.
func (r *Rewards) Same(i, j int64) bool {
	a, at := r.s.row(i)
	b, bt := r.s.row(j)
	for _, f := range r.s.t.layout.said {
		if !equalBits(a.column(f), b.column(f), at, bt, r.s.t.layout.fields[f].rowBits()) {
			return false
		}
	}
	return true
}

// ContentHash is a hash of x0, x1, … and the Contents of a row, without its reward.
func (r *Rewards) ContentHash(row int64) uint64 {
	b, at := r.s.row(row)
	h := fnv.New64a()
	for _, f := range r.s.t.layout.said {
		width := r.s.t.layout.fields[f].rowBits()
		switch {
		case f == r.s.t.layout.at[colReward]:
		case width%8 == 0:
			_, _ = h.Write(b.column(f)[at*width/8 : (at+1)*width/8]) // to memory
		default:
			for bit := at * width; bit < (at+1)*width; bit++ {
				_, _ = h.Write([]byte{bitAt(b.column(f), bit)})
			}
		}
	}
	return h.Sum64()
}

// row is where a row of the experiment lies.
func (s *Slice) row(row int64) (b *batch, at int64) {
	return &s.t.batches[s.first+s.batchAt(row)], s.at + row&(s.t.layout.batchRows()-1)
}

// rowBits is the width of one row of a column.
func (f *field) rowBits() int64 { return f.perRow() * f.kind.bits() }

// equalBits compares the value of row i of one column with the value of row j of another,
// of width bits each.
func equalBits(a, b []byte, i, j, width int64) bool {
	if width%8 == 0 {
		w := width / 8
		return bytes.Equal(a[i*w:(i+1)*w], b[j*w:(j+1)*w])
	}
	for bit := range width {
		if bitAt(a, i*width+bit) != bitAt(b, j*width+bit) {
			return false
		}
	}
	return true
}

func bitAt(v []byte, at int64) byte { return v[at/8] >> (at % 8) & 1 }
