package allocation

import (
	"fmt"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

const (
	// maxCrossed is of how many contexts crossings are looked at: each with the
	// previous action, and each pair of them.
	maxCrossed = 4
	// maxCrossedCells bounds the cells of one crossing. Two words of more levels
	// together are not looked at.
	maxCrossedCells = 64
)

// crossing is a partition by two others together: the two cells of a round in these give
// its cell here.
type crossing struct {
	of   [2]int // places among all partitions
	cell func(a, b uint8) uint8
}

// cells appends the cells of a chunk's rounds to dst, each made of the round's cells in the two
// partitions that are crossed; NoCell where one of these is NoCell.
func (x *crossing) cells(all [][]uint8, dst []uint8) []uint8 {
	a, b := all[x.of[0]], all[x.of[1]]
	for t := range a {
		if a[t] == subgroups.NoCell || b[t] == subgroups.NoCell {
			dst = append(dst, subgroups.NoCell)
			continue
		}
		dst = append(dst, x.cell(a[t], b[t]))
	}
	return dst
}

// factor is what a crossing takes from a partition: groups of its cells.
type factor struct {
	name   string
	place  int
	groups []string // the rounds of each, behind "in rounds"
	group  func(cell uint8) uint8
}

// crossings are the previous action with each of the first contexts that are looked
// at, and each pair of these contexts: numbers by the side of their median, words by
// their levels. Tides within cells take room, so that fewer of them are looked at where
// there are many arms.
func crossings(in *publiclog.Log, looked []partition) []partition {
	factors := factors(in, looked)
	left := maxTideArms
	for i := range looked {
		if looked[i].crossed != nil {
			left -= looked[i].count() * in.K()
		}
	}
	var out []partition
	for i := range factors {
		for j := range factors[:i] {
			p := cross(&factors[j], &factors[i])
			if n := p.count(); n <= maxCrossedCells && n*in.K() <= left {
				left -= n * in.K()
				out = append(out, p)
			}
		}
	}
	return out
}

// factors are the previous action, and the first contexts that are looked at.
func factors(in *publiclog.Log, looked []partition) []factor {
	first := in.Name(0)
	out := []factor{{"the previous action", 0, []string{"behind one that did not play " + first, "behind one that played " + first}, func(cell uint8) uint8 { return cell % 2 }}}
	for i := range looked {
		p := &looked[i]
		if p.factor == "" || len(out) > maxCrossed {
			continue
		}
		f := factor{p.factor, i, p.rounds, func(cell uint8) uint8 { return cell }}
		if p.number {
			f.groups, f.group = p.splits[0].Sides[:], func(cell uint8) uint8 { return cell / 4 }
		}
		out = append(out, f)
	}
	return out
}

// cross is the partition by two factors together.
func cross(a, b *factor) partition {
	p := partition{Cells: check.Cells{Name: a.name + " and " + b.name + " together"}}
	for _, x := range a.groups {
		for _, y := range b.groups {
			p.rounds = append(p.rounds, x+" and "+y)
		}
	}
	n := uint8(len(b.groups)) //nolint:gosec // at most maxSplits + 1
	p.crossed = &crossing{[2]int{a.place, b.place}, func(x, y uint8) uint8 { return a.group(x)*n + b.group(y) }}
	return p
}

// earlierPartition is what came two rounds before; none of very many arms.
func earlierPartition(in *publiclog.Log, past *pastReader) []partition {
	const cells = 12
	if cells*in.K() > maxTideArms {
		return nil
	}
	p := partition{Cells: check.Cells{Name: "the two previous actions and the reward before the last together"}, crossed: &crossing{}}
	p.cells = func(_ *tableau.Chunk, _ []float64, dst []uint8) []uint8 { return append(dst, past.earlier...) }
	p.most, p.name = cells, func() []string { return earlierWords(in, cells) }
	return []partition{p}
}

// earlierWords are the rounds of its cells.
func earlierWords(in *publiclog.Log, cells int) []string {
	var out []string
	played := [2]string{"did not play ", "played "}
	for cell := range cells {
		words := fmt.Sprintf("behind one that %s%s, two behind one that %s%s, ", played[cell%2], in.Name(0), played[cell/2%2], in.Name(0))
		if reward := cell / 4; reward == int(subgroups.SideUnknown) {
			words += "and before three rewards were known"
		} else {
			words += "and with a reward before the last that was" + [2]string{" not", ""}[reward] + " above the mean of those before it"
		}
		out = append(out, words)
	}
	return out
}

// maxSets is how many sets of eligible arms are told apart.
const maxSets = 16

// eligiblePartition is which arms could be played, where that is a column: the first
// sets that are met have a cell each, and all later ones are in one. None of very many
// arms.
func eligiblePartition(in *publiclog.Log) []partition {
	if !in.Slice.Schema().Eligible || (maxSets+1)*in.K() > maxSplitAccounts {
		return nil
	}
	k := in.K()
	places, sets := map[string]uint8{}, [][]byte{}
	set := make([]byte, k)
	p := partition{Cells: check.Cells{Name: "the set of eligible arms"}, most: maxSets + 1}
	p.cells = func(c *tableau.Chunk, _ []float64, dst []uint8) []uint8 {
		for t := range c.Arm {
			for arm := range set {
				set[arm] = 0
				if c.Eligible(t, arm) {
					set[arm] = 1
				}
			}
			place, ok := places[string(set)]
			if !ok {
				if place = maxSets; len(sets) < maxSets {
					place = uint8(len(sets)) //nolint:gosec // below maxSets
					sets = append(sets, append([]byte(nil), set...))
					places[string(set)] = place
				}
			}
			dst = append(dst, place)
		}
		return dst
	}
	p.name = func() []string {
		var out []string
		for _, s := range sets {
			out = append(out, "in which "+setWords(in, s)+" could be played")
		}
		for len(out) < maxSets+1 {
			out = append(out, fmt.Sprintf("with a set of eligible arms beyond the first %d", maxSets))
		}
		return out
	}
	return []partition{p}
}

// setWords name the arms of a set; of many how many there are, and the first.
func setWords(in *publiclog.Log, set []byte) string {
	const most = 6
	var names []string
	for arm, is := range set {
		if is != 0 {
			names = append(names, in.Name(arm))
		}
	}
	switch n := len(names); {
	case n == 0:
		return "no arm"
	case n == 1:
		return names[0] + " alone"
	case n > most:
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %s more", schemas.Grouped(int64(n-most)))
	}
	return strings.Join(names, ", ")
}

// count is how many cells a partition has.
func (p *partition) count() int { return max(len(p.rounds), p.most) }

// read are the cells with their names, when the log was read.
func (p *partition) read() check.Cells {
	p.Count, p.Rounds = p.count(), p.name
	if p.name == nil {
		p.Rounds = func() []string { return p.rounds }
	}
	return p.Cells
}
