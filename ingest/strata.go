package ingest

import (
	"fmt"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableau"
)

// stratumRule numbers strata in order of first appearance in the log.
type stratumRule struct {
	batchRule

	codes []int32
}

func newStratum(c *converter, i int) columnRule {
	return &stratumRule{batchRule: batchRule{want: i, column: c.log.wants[i].Name, budget: c.log.budget, found: cell.NewFinder(cell.NewLabels(nil))}}
}

func (rule *stratumRule) apply(r *rows, out *converted, f *fault.List) error {
	rule.codes, out.Stratum = cell.Resize(rule.codes, r.n), cell.Resize(out.Stratum, r.n)
	b, c := r.cols[rule.want], r.types[rule.want]
	rule.found.Block(b, c, rule.codes)
	for i, code := range rule.codes {
		switch {
		case code >= 0:
		case b.Nulls > 0 && b.Null[i]:
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the column of strata", "name the stratum that the policy decided the row in, or leave the row out")
		default:
			next, err := rule.number(b, c, i)
			if err != nil {
				return fault.Resource(r.uri, err)
			}
			if code = next; next < 0 {
				f.Row(fault.RuleNotText, rule.column, r.place(i), "a stratum that is neither a text in UTF-8 of at most 4,096 bytes without a zero byte nor a number of 64 bits", "write labels as short texts in UTF-8")
			}
		}
		out.Stratum[i] = int64(code)
	}
	return nil
}

// strataNumbers numbers the strata of every experiment from 0 in the order in which
// the rounds have them first.
type strataNumbers struct {
	log        *logFiles
	want       int
	most       int64 // of an experiment
	seen       []seenStratum
	experiment int32 // index + 1
	count      int64 // of it
	beyond     int64 // rows of strata that are too many
	first      int64 // the first of these, of the log
}

// seenStratum is the number of a stratum in the experiment that it was seen in last.
type seenStratum struct {
	experiment int32 // index + 1
	number     int64
}

// stateCells bounds the arms of all states of the policy in an experiment.
const stateCells = 1 << 22

// mostStrata returns how many strata an experiment with the given number of arms may have.
func mostStrata(arms int) int64 { return int64(min(tableau.MostStrata, stateCells/max(1, arms))) }

// renumber turns labels' codes of rounds in their final order into numbers of strata.
func (s *strataNumbers) renumber(experiment []int32, strata, at []int64) {
	for i, code := range strata {
		if code < 0 || experiment[i] < 0 {
			continue // a fault
		}
		if index := experiment[i] + 1; index != s.experiment {
			s.experiment, s.count = index, 0
		}
		for int(code) >= len(s.seen) {
			s.seen = append(s.seen, seenStratum{})
		}
		v := &s.seen[code]
		if v.experiment != s.experiment {
			*v = seenStratum{s.experiment, s.count}
			s.count++
		}
		if strata[i] = v.number; v.number >= s.most {
			if s.beyond++; s.beyond == 1 {
				s.first = at[i]
			}
		}
	}
}

// report records strata that are too many as one fault.
func (s *strataNumbers) report() {
	if s.beyond == 0 {
		return
	}
	at := s.log.placeOf(s.first)
	s.log.faults.File(&fault.InputError{
		File: at.File, RowGroup: at.RowGroup, Row: at.Row, Column: s.log.wants[s.want].Name, Rule: fault.RuleType,
		What:  fmt.Sprintf("more than %d strata in one experiment, each with a state of the policy", s.most),
		Mend:  "check that policy.by names the column of strata, and not one that differs from row to row",
		Count: s.beyond, Places: []fault.Place{at},
	})
}
