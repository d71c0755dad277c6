package noise

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// AcrossLevel bounds the probability that Across finds anything in honest
// experiments, however many there are. It comes on top of Level, and is small
// beside it.
const AcrossLevel = 1e-6

// AcrossStreams is how many streams of an experiment are compared with the streams of
// others: the first, coordinates of an arm after one another.
const AcrossStreams = 16

// Print is a hash of the first draws of a stream. Their number is large enough that two
// honest experiments agree in all of them next to never.
type Print struct {
	Stream
	Draws int
	Sum   [16]byte
}

// before orders streams.
func (s Stream) before(other Stream) int {
	return cmp.Or(cmp.Compare(s.Stratum, other.Stratum), cmp.Compare(s.Arm, other.Arm), cmp.Compare(s.Coordinate, other.Coordinate))
}

// Prints returns the prints of streams that are long enough for one, of an
// experiment among the given number of experiments. A discrete Laplace draw, and a sum of
// several, equals a given number with probability at most
//
//	tanh(step/2),   step = lattice/scale,
//
// whatever was drawn before, so that the first m draws of a stream equal the first m of a
// given other one with probability at most Π tanh(step/2). m is the smallest number with
//
//	½·(experiments·AcrossStreams)²·Π tanh(step/2) ≤ AcrossLevel
//
// for the scales of the stream. Special cases are:
//
//	a draw without a lattice, or that rounding may have moved: the stream has no
//	print, and neither has one that is shorter than m
//	more than half of the m draws are 0: likewise; they are alike without noise
func Prints(draws []Draw, experiments int) []Print {
	lanes := float64(experiments) * AcrossStreams
	least := math.Log(AcrossLevel) - math.Log(float64(lanes*lanes/2))
	type lane struct {
		Print
		ln    float64 // of the product
		zeros int
		bytes []byte
		over  bool // has a print, or can have none
	}
	var all []*lane
	find := map[Stream]*lane{}
	for i := range draws {
		d := &draws[i]
		l := find[d.Stream]
		if l == nil {
			l = &lane{Print: Print{Stream: d.Stream}}
			find[d.Stream] = l
			all = append(all, l)
		}
		k, ok := d.steps()
		switch {
		case l.over:
			continue
		case !ok:
			l.over, l.Draws = true, 0
			continue
		case k == 0:
			l.zeros++
		}
		l.Draws++
		l.bytes = binary.LittleEndian.AppendUint64(l.bytes, math.Float64bits(k))
		l.ln += math.Log(bitexact.Tanh(d.Grid / d.Scale / 2))
		l.over = l.ln <= least
	}
	var out []Print
	for _, l := range all {
		if !l.over || l.Draws == 0 || 2*l.zeros > l.Draws {
			continue
		}
		h := fnv.New128a()
		h.Write(l.bytes)
		h.Sum(l.Sum[:0])
		out = append(out, l.Print)
	}
	return out
}

// steps returns the value of a draw in units of its lattice; false where it lies
// on none for certain.
func (d *Draw) steps() (float64, bool) {
	k := d.Value / d.Grid
	if !(d.Grid > 0) || d.Error != 0 || !(d.Scale > 0) || k != math.Trunc(k) || math.Abs(k) >= 1<<53 {
		return 0, false
	}
	return k + 0, true // 0 for a negative zero
}

// Twin says that a stream of one experiment begins with the noise of one of
// another.
type Twin struct {
	Print  Print
	Other  int   // experiment
	With   Print // the stream of the other
	Others int   // experiments with the same noise, beside the one
}

// Across compares the prints of all experiments with each other, and returns, for
// each experiment that shares noise, its first stream that does, with the first
// other experiment that it shares it with. In honest experiments it finds
// anything with probability at most AcrossLevel.
func Across(prints [][]Print) map[int]Twin {
	type entry struct {
		Print
		experiment int
	}
	var all []entry
	for e, list := range prints {
		for _, p := range list {
			all = append(all, entry{p, e})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(bytes.Compare(a.Sum[:], b.Sum[:]), cmp.Compare(a.Draws, b.Draws), cmp.Compare(a.experiment, b.experiment), a.before(b.Stream))
	})
	out := map[int]Twin{}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Sum == all[0].Sum && all[n].Draws == all[0].Draws {
			n++
		}
		same := all[:n]
		all = all[n:]
		others := -1
		for i := range same {
			if i == 0 || same[i].experiment != same[i-1].experiment {
				others++
			}
		}
		for i := range same {
			own := same[i]
			with := same[0]
			if with.experiment == own.experiment {
				with = same[n-1]
				for _, s := range slices.Backward(same) {
					if s.experiment != own.experiment {
						with = s
					}
				}
			}
			if with.experiment == own.experiment {
				continue
			}
			if t, ok := out[own.experiment]; !ok || own.before(t.Print.Stream) < 0 {
				out[own.experiment] = Twin{own.Print, with.experiment, with.Print, others}
			}
		}
	}
	return out
}
