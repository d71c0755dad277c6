package aggregate

import (
	"fmt"
	"slices"

	"banditaudit/schemas"
)

// logNotes gather what is noted of all experiments of a log together, and
// contradicts nothing.
type logNotes struct {
	horizon     int64 // that all experiments have; 0: none, or how they stopped is declared otherwise
	experiments int64
	longest     int64
	shortest    int64
	whole       int64            // experiments of horizon rounds
	rows        map[uint64]int32 // place of the first experiment with these rows, or −1 − place of its copies
	copies      []copied         // in the order in which they were found
}

// copied are experiments with the same rows.
type copied struct {
	first, second int32 // places
	others        int64 // beside the first
	rounds        int64
}

func (n *logNotes) add(place int, o *Outcome) {
	rounds := o.Experiment.Rounds
	if n.experiments == 0 {
		n.shortest, n.rows = rounds, map[uint64]int32{}
	}
	n.horizon = o.Horizon
	n.experiments++
	n.longest, n.shortest = max(n.longest, rounds), min(n.shortest, rounds)
	if rounds == n.horizon {
		n.whole++
	}
	if o.Rows == 0 {
		return
	}
	here := int32(place) //nolint:gosec // a log has fewer experiments than 2³¹
	at, known := n.rows[o.Rows]
	switch {
	case !known:
		n.rows[o.Rows] = here
	case at >= 0:
		n.rows[o.Rows] = int32(-1 - len(n.copies)) //nolint:gosec // as above
		n.copies = append(n.copies, copied{at, here, 1, rounds})
	default:
		n.copies[-1-at].others++
	}
}

// notes are the sentences, with the names of all experiments.
func (n *logNotes) notes(names []string) []string {
	return slices.Concat(n.stopped(), n.copied(names), oneNumber(names))
}

// stopped notes lengths that look as if something had ended experiments early: at
// least two of them, none above the one horizon, of at least two different
// lengths, and at most half of them as long as the horizon, although their end is
// declared to be fixed.
func (n *logNotes) stopped() []string {
	if n.horizon == 0 || n.experiments < 2 || n.longest > n.horizon || n.shortest == n.longest || 2*n.whole > n.experiments {
		return nil
	}
	return []string{fmt.Sprintf("the %s experiments of this log have between %s and %s rounds, under one horizon of %s (counter.horizon), which %s of them have; stopping: fixed says that nothing that was seen ended them, and no log can show it: if something did, and had read rewards, A8 fails, and with it every corrected answer",
		schemas.Grouped(n.experiments), schemas.Grouped(n.shortest), schemas.Grouped(n.longest), schemas.Grouped(n.horizon), schemas.Grouped(n.whole))}
}

// mostCopies is how many groups of experiments with the same rows are named.
const mostCopies = 8

// copied notes experiments that hold the same rows.
func (n *logNotes) copied(names []string) []string {
	var out []string
	for i, c := range n.copies {
		if i == mostCopies {
			return append(out, schemas.Grouped(int64(len(n.copies)-i))+" more groups of experiments hold the same rows")
		}
		more := ""
		if c.others > 1 {
			more = fmt.Sprintf(", and %s in all", schemas.Counted(c.others, "other experiment"))
		}
		out = append(out, fmt.Sprintf("experiments %s and %s%s hold the same actions with the same rewards in the same order (%s of each): experiments that ran apart do so next to never, and if one is a copy of the other their rows count twice",
			schemas.Named(names[c.first]), schemas.Named(names[c.second]), more, schemas.Counted(c.rounds, "round")))
	}
	return out
}

// oneNumber notes experiments whose ids are one number in two writings.
func oneNumber(names []string) []string {
	pairs := schemas.SameNumbers(names, schemas.WholeOf)
	if len(pairs) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("experiments %s and %s have ids that are one number in two writings, and count as two experiments (%s in all); %s",
		schemas.Named(pairs[0][0]), schemas.Named(pairs[0][1]), schemas.Counted(int64(len(pairs)), "such pair"), schemas.CastLabels)}
}
