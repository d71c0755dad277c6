package ope

import (
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// lower are the lower ends of what of has given of a row, by the decimals of the log: of
// the arm that was played, and of all where rounds are weighed by √p. It is nil where
// propensities are known in full, or are not taken from the log.
func (p *probabilities) lower(c *tableau.Chunk, row int, of []float64) []float64 {
	if !p.rounded {
		return nil
	}
	arm := int(c.Arm[row])
	switch {
	case !p.root:
		p.least[arm] = p.lowerOf(arm, of[arm])
	case c.PropensityByArm == nil: // two arms, of which one is logged
		room := of[arm] - p.lowerOf(arm, of[arm])
		for i, v := range of {
			p.least[i] = max(0, v-room)
		}
	case p.below != c.Start+int64(row) || !c.Again(row):
		for i, v := range of {
			p.least[i] = p.lowerOf(i, v)
		}
	}
	p.below = c.Start + int64(row) + 1
	return p.least
}

// lowerOf is the lower end of a logged propensity of an arm. That of the one before is
// kept, as many rounds have the same.
func (p *probabilities) lowerOf(arm int, v float64) float64 {
	if v != p.last[arm] {
		p.last[arm], p.lowest[arm] = v, max(0, v-p.ends.At(v))
	}
	return p.lowest[arm]
}

// round makes a round that enters, with its reward y in [0, 1].
func (p *probabilities) round(c *tableau.Chunk, row int, y float64, to *ipw.Round) {
	to.Arm, to.P, to.Reward = int(c.Arm[row]), p.of(c, row), y
	to.Same = p.again && c.KeepProb == nil
	to.Least = p.lower(c, row, to.P)
	if c.KeepProb == nil {
		return
	}
	p.kept = append(p.kept[:0], to.P...)
	to.P, to.Kept = p.kept, p.sampled.Weigh(c, row, p.kept)
	if to.Least != nil {
		p.sampled.Weigh(c, row, to.Least)
		p.below = -1 // the ends do not hold for the next row, whatever its propensities
	}
}

// openWords are why an interval is not given where a propensity may be 0.
const openWords = "a propensity is no larger than what its decimals leave open, so that 1/p has no bound: write more decimals (log.propensity_resolution says how far one may be off)"

// roundingWords say what the decimals of propensities can do to an estimate; "" where they
// are known in full.
func roundingWords(protocol *schemas.Protocol, w *weighing) string {
	switch d := w.moved.Value; {
	case d == 0:
		return ""
	case math.IsInf(d, 1):
		return "; propensities are known to their decimals, which bound nothing here"
	default:
		return fmt.Sprintf("; propensities are known to their decimals, which can move it by up to %.3g", float64(publiclog.RangeWidth(protocol)*d))
	}
}

// CoarseDecimals names the estimate that decimals can move most beside its standard error, where
// they can by more than that.
func (s *Estimates) CoarseDecimals() string {
	if !s.given() {
		return ""
	}
	worst, many, words := 1.0, 0, ""
	see := func(name, target string, w *weighing) {
		part := w.moved.Value / w.stdErr
		if !(w.stdErr > leastError) || !(part > 1) {
			return
		}
		if many++; part > worst {
			worst, words = part, name+" of the "+target+byDecimals(s.Protocol, w)
		}
	}
	s.eachWeighing(func(string, string) {}, func(name string, w *weighing) {
		if neverPlayed(s.Facts.Log, w) == "" {
			see(name, s.targetOf(w), w)
		}
	})
	for _, e := range evaluations(s.Facts.Log) {
		v := s.values[e.id]
		if v == nil || !(v.Largest > 0) {
			continue
		}
		for _, of := range valuers() {
			if s.againstValue(&e, &of) == "" {
				w := of.weighing(v)
				see(of.name, blankValue(s.Facts.Log, &e, of.name, of.lo).Target, &w)
			}
		}
	}
	if many == 0 {
		return ""
	}
	if many > 1 {
		words += ", and " + schemas.Counted(int64(many-1), "other estimate") + " likewise"
	}
	return "the decimals of propensities move " + words + ": write more decimals, or say in log.propensity_resolution how far one may be off (1e-9 where they are exact, as 0.01 can be)"
}

// byDecimals says by how much decimals move an estimate.
func byDecimals(protocol *schemas.Protocol, w *weighing) string {
	if math.IsInf(w.moved.Value, 1) {
		return " without bound"
	}
	return fmt.Sprintf(" by up to %.3g, more than its standard error, %.3g", float64(publiclog.RangeWidth(protocol)*w.moved.Value), float64(publiclog.RangeWidth(protocol)*w.stdErr))
}
