package allocation

import (
	"fmt"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/tableau"
)

const (
	// maxPrevious is how many arms are told apart that were played in the round before.
	maxPrevious = 16
	// maxBefore is the number of contexts whose value in the round before is looked at.
	maxBefore = 2
	// unitCounters bounds the counters of visits: 1 MiB. Of more units several share one.
	unitCounters = 1 << 20
)

// earlierPartitions are what came earlier and is looked at by its cells alone: which of
// several arms was played before, how large the last reward was among those so far,
// and the visit of a unit. They share a family of allocationtest.Splits. Of very many arms
// there are none.
func earlierPartitions(in *publiclog.Log, past *pastReader) []partition {
	out := append(previousPartition(in), bandPartition(past))
	if in.DrawnAnew() {
		out = append(out, visitPartition())
	}
	return fitting(in, out)
}

// fitting keeps the partitions whose cells are not too many for the arms, and marks them
// Earlier: each takes about 1 MiB at most.
func fitting(in *publiclog.Log, all []partition) []partition {
	var out []partition
	for _, p := range all {
		if p.Earlier = true; p.count()*in.K() <= maxTideArms {
			out = append(out, p)
		}
	}
	return out
}

// previousPartition is the arm of the round before; of two arms the split by the
// previous action has it.
func previousPartition(in *publiclog.Log) []partition {
	if in.K() <= 2 {
		return nil
	}
	cells := min(in.K(), maxPrevious)
	p := partition{Cells: check.Cells{Name: "the previous arm"}}
	for arm := range cells {
		p.rounds = append(p.rounds, "behind one that played "+in.Name(arm))
	}
	if cells < in.K() {
		p.rounds[cells-1] = fmt.Sprintf("behind one that played another arm than the first %d", cells-1)
	}
	last := uint8(subgroups.NoCell)
	p.cells = func(c *tableau.Chunk, _ []float64, dst []uint8) []uint8 {
		for _, arm := range c.Arm {
			dst = append(dst, last)
			last = uint8(min(int(arm), cells-1)) //nolint:gosec // below maxPrevious
		}
		return dst
	}
	return []partition{p}
}

// bandPartition is how large the last reward was that had become known.
func bandPartition(past *pastReader) partition {
	p := partition{Cells: check.Cells{Name: "the last reward by bands"}}
	for _, band := range []string{"in the lowest quarter", "between the quartiles", "in the highest quarter"} {
		p.rounds = append(p.rounds, "behind a reward "+band+" of those before it")
	}
	p.cells = func(_ *tableau.Chunk, _ []float64, dst []uint8) []uint8 { return append(dst, past.bands...) }
	return p
}

// visitPartition is which visit of its unit a round is.
func visitPartition() partition {
	p := partition{Cells: check.Cells{Name: "the visit of the unit"}}
	for _, visit := range []string{"1", "2", "3", "4 to 7", "8 or later"} {
		p.rounds = append(p.rounds, "that are visit "+visit+" of their unit")
	}
	seen := make([]uint8, 0)
	p.cells = func(c *tableau.Chunk, _ []float64, dst []uint8) []uint8 {
		for _, unit := range c.Unit {
			at := int(unit % unitCounters)
			for len(seen) <= at {
				seen = append(seen, 0)
			}
			dst = append(dst, visitCell(seen[at]))
			seen[at] = min(seen[at]+1, 7)
		}
		return dst
	}
	return p
}

// visitCell returns the cell of a round by the number of earlier rounds of its unit, counted up
// to 7: a cell each for 0, 1 and 2, one for 3 to 6, and one for 7 or more.
func visitCell(before uint8) uint8 {
	switch {
	case before < 3:
		return before
	case before < 7:
		return 3
	}
	return 4
}

// before are the first contexts that are looked at, as they were in the round before:
// numbers by quarters, words by their levels.
func before(in *publiclog.Log, looked []partition) []partition {
	var out []partition
	for i := range looked {
		if looked[i].factor != "" && len(out) < maxBefore {
			out = append(out, beforePartition(&looked[i], i))
		}
	}
	return fitting(in, out)
}

// beforePartition is the partition at a place, one round later.
func beforePartition(of *partition, place int) partition {
	name := strings.TrimSuffix(of.factor, againstMedian)
	p := partition{Cells: check.Cells{Name: name + " of the round before"}}
	group := uint8(1) // cells in one
	if of.number {
		group = 2
		for _, quarter := range []string{"lowest", "second", "third", "highest"} {
			p.rounds = append(p.rounds, "behind one with "+name+" in its "+quarter+" quarter")
		}
	} else {
		for _, rounds := range of.rounds {
			p.rounds = append(p.rounds, "behind one "+rounds)
		}
	}
	last := uint8(subgroups.NoCell)
	p.derived = func(all [][]uint8, dst []uint8) []uint8 {
		for _, cell := range all[place] {
			dst = append(dst, last)
			if last = cell; cell != subgroups.NoCell {
				last = cell / group
			}
		}
		return dst
	}
	return p
}
