package publiclog

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// Sampled is how rows of the deployment were dropped from the log by chance: a row is in
// the log with probability o (log.keep_prob), which may depend on what log.keep_by names.
// Of rows that were dropped by their arm, the arms of those that are left were drawn with
//
//	q(a) = p(a)·o(a)/Σ p(b)·o(b)
//
// The contract's section 7 says what goes on under each word.
type Sampled struct {
	By   string         // log.keep_by; "" where no row was dropped
	Said string         // both keys
	Ends precision.Ends // of q, where arms are held against it

	arms  []float64 // o of each arm; NaN where it is not one number for all of its rows
	names []string
	one   string  // why o goes by no arm: it is a number; "" where it does
	most  float64 // the largest o; 1 where o is a number
	units string  // why first rounds of units do not stand for all; "": they do, or rounds are drawn singly
	draws string  // why the arms of kept rows were drawn neither with p nor with q; "" where they were
}

// readSampled reads the column of log.keep_prob, where there is one.
func (f *Facts) readSampled(ctx context.Context) (*Sampled, error) {
	l := &f.Protocol.Log
	s := &Sampled{By: l.Kept(), names: f.Names(), most: 1}
	if s.By == "" {
		return s, nil
	}
	s.Said = l.KeptWords()
	if l.KeepProb.Column == "" {
		s.one = "log.keep_prob is one number, and rows that were kept by their arm have one for each arm (log.keep_prob: {column: NAME})"
	} else if err := s.readArms(ctx, f); err != nil {
		return nil, err
	}
	if s.draws = s.againstDraws(f); s.By != schemas.KeepByAction || s.draws != "" {
		return s, nil
	}
	err := s.readEnds(ctx, f)
	return s, err
}

// readArms finds o of every arm.
func (s *Sampled) readArms(ctx context.Context, f *Facts) error {
	type ends struct{ least, most []float64 }
	all := func(x float64) []float64 { return slices.Repeat([]float64{x}, f.K()) }
	total := ends{all(math.Inf(1)), all(math.Inf(-1))}
	err := Fold(ctx, f.Slice, f.Jobs, func(i int) (ends, error) {
		part, c := ends{all(math.Inf(1)), all(math.Inf(-1))}, f.Slice.Chunk(i)
		for t, arm := range c.Arm {
			part.least[arm], part.most[arm] = min(part.least[arm], c.KeepProb[t]), max(part.most[arm], c.KeepProb[t])
		}
		return part, nil
	}, func(part ends) {
		for arm := range part.least {
			total.least[arm], total.most[arm] = min(total.least[arm], part.least[arm]), max(total.most[arm], part.most[arm])
		}
	})
	s.arms, s.most = total.least, slices.Max(total.most)
	for arm, o := range total.most {
		if o != s.arms[arm] {
			s.arms[arm] = math.NaN()
		}
	}
	return err
}

// againstDraws is why it is not known with which probabilities the arms of kept rows were
// drawn; "" where it is.
func (s *Sampled) againstDraws(f *Facts) string {
	schema := f.Slice.Schema()
	every := EachArm(f.K())
	if f.Drawn == conformance.DrawsByUnit {
		s.units = "one draw serves a unit (" + f.Protocol.DrawWords() + "), and which units are in the log depends on how many rows they had, which may follow from their arm (log.keep_prob)"
	}
	switch {
	case s.By == schemas.KeepByRewards:
		return "rewards decided which rows were kept (log.keep_by: rewards), and kept rows are not drawn by their propensities"
	case s.By == schemas.KeepByUnknown:
		return "what decided which rows were kept is not known (log.keep_by: unknown), and where rewards did kept rows are not drawn by their propensities; write schedule or action if dropping read no rewards"
	case s.units != "":
		return s.units
	case s.By == schemas.KeepBySchedule:
		return ""
	case schema.Propensity && !schema.PropensityByArm && (f.K() != 2 || !f.Manifest.Declared):
		return "rows were kept by their arm (log.keep_by: action), and the propensities of all arms are needed to say how the arms of kept rows were drawn (log.propensity_by_arm)"
	}
	return s.AgainstArms(every...)
}

// AgainstArms is why it is not known with which probability each of these arms was kept,
// where rows were kept by their arm; "" where it is, or they were not.
func (s *Sampled) AgainstArms(arms ...int) string {
	if s.By != schemas.KeepByAction {
		return ""
	}
	for _, arm := range arms {
		switch {
		case s.one != "":
			return s.one
		case math.IsInf(s.arms[arm], 1):
			return "no row of arm " + s.names[arm] + " was kept, and with which probability one is kept is not known (log.keep_prob)"
		case math.IsNaN(s.arms[arm]):
			return "rows of arm " + s.names[arm] + " were kept with several probabilities, and what another row would have been kept with is not known (log.keep_prob, log.keep_by: action)"
		}
	}
	return ""
}

// Dropped reports whether rows were dropped.
func (s *Sampled) Dropped() bool { return s != nil && s.By != "" }

// ByRewards says that rewards may have decided which rows were kept; "" where they did not.
func (s *Sampled) ByRewards() string {
	if !s.Dropped() || s.By == schemas.KeepBySchedule || s.By == schemas.KeepByAction {
		return ""
	}
	return s.draws
}

// ByUnit says why one draw of each unit does not speak for all units; "" where it does.
func (s *Sampled) ByUnit() string {
	if !s.Dropped() {
		return ""
	}
	return s.units
}

// KeptIf is what answers rest on that no key declares more of than its word, and nothing
// recomputes: that no reward was read where rows were dropped, and where arms are held
// against each other, or rewards weighed, that no arm was, unless that is declared. "" where
// no row was dropped, or rewards may have been read.
func (s *Sampled) KeptIf(arms bool) string {
	switch {
	case s.Dropped() && s.By == schemas.KeepBySchedule && arms:
		return schemas.ValidIfKeptAlike
	case s.Dropped() && s.ByRewards() == "":
		return schemas.ValidIfKept
	}
	return ""
}

// Rounds returns the word for the rounds of the log: nothing is known of dropped rounds.
func (s *Sampled) Rounds() string {
	if s.Dropped() {
		return "kept rounds"
	}
	return "rounds"
}

// Round is the word for one of them.
func (s *Sampled) Round() string { return strings.TrimSuffix(s.Rounds(), "s") }

// Selected reports whether rows may have been dropped by their arm.
func (s *Sampled) Selected() bool {
	return s.Dropped() && (s.By != schemas.KeepBySchedule || s.units != "")
}

// Own says that rows have probabilities of their own of being kept; "" where they do not.
func (s *Sampled) Own() string {
	if !s.Dropped() || s.one != "" {
		return ""
	}
	return "rows have their own probabilities of being in the log (" + s.Said + ")"
}

// Open is why the arms of kept rows were drawn neither with their propensities nor with
// those given that a row is kept; "" where they were.
func (s *Sampled) Open() string {
	if !s.Dropped() {
		return ""
	}
	return s.draws
}

// ByArm reports whether rows were kept by their arm, with probabilities that are known:
// arms then are held against q.
func (s *Sampled) ByArm() bool {
	return s.Dropped() && s.By == schemas.KeepByAction && s.draws == ""
}

// Gone says of what was played earlier that rows of it are missing; "" where none is.
func (s *Sampled) Gone() string {
	if !s.Dropped() {
		return ""
	}
	return "rows were dropped from the log (" + s.Said + ")"
}

// Weigh writes into dst, which holds the probabilities of all arms in a row, the
// probabilities with which an arm is played and its row is in the log, and returns the
// row's own probability of being kept: o over the largest o of the log, since a factor
// cancels in every weighted mean. It returns 0 and leaves dst as it was where rows have no
// such probability.
func (s *Sampled) Weigh(c *tableau.Chunk, row int, dst []float64) (kept float64) {
	if c.KeepProb == nil {
		return 0
	}
	kept = c.KeepProb[row] / s.most
	for arm := range dst {
		switch {
		case s.By == schemas.KeepByAction && s.draws == "":
			dst[arm] *= s.arms[arm] / s.most
		case s.By == schemas.KeepBySchedule || arm == int(c.Arm[row]):
			dst[arm] *= kept
		default:
			dst[arm] = math.NaN()
		}
	}
	return kept
}

// Pair is the share of the first of two arms among the kept rounds that play either, of
// that among all.
func (s *Sampled) Pair(a, b int, share float64) float64 {
	if !s.Dropped() || s.By != schemas.KeepByAction {
		return share
	}
	kept := float64(share * s.arms[a])
	return kept / (kept + float64((1-share)*s.arms[b]))
}

// Given writes q into dst, which holds p; nothing where rows were not kept by their arm.
func (s *Sampled) Given(dst []float64) {
	if !s.ByArm() {
		return
	}
	sum := 0.0
	for arm, p := range dst {
		dst[arm] = float64(p * s.arms[arm])
		sum += dst[arm]
	}
	for arm := range dst {
		if sum > 0 {
			dst[arm] /= sum
		}
	}
}

// Chunk is a chunk with q in the place of p; the chunk itself where rows were not kept by
// their arm, or no propensity is logged.
func (s *Sampled) Chunk(c *tableau.Chunk) *tableau.Chunk {
	if !s.ByArm() || c.Propensity == nil {
		return c
	}
	out, k := *c, len(s.arms)
	out.Propensity, out.PropensityByArm = slices.Clone(c.Propensity), slices.Clone(c.PropensityByArm)
	row := make([]float64, k)
	for t, arm := range c.Arm {
		s.row(c, t, row)
		if s.Given(row); c.PropensityByArm != nil {
			copy(out.PropensityByArm[t*k:], row)
		}
		out.Propensity[t] = row[arm]
	}
	return &out
}

// row is p of all arms in a row.
func (s *Sampled) row(c *tableau.Chunk, t int, dst []float64) {
	if k := len(dst); c.PropensityByArm != nil {
		copy(dst, c.PropensityByArm[t*k:t*k+k])
		return
	}
	arm := c.Arm[t] // of two
	dst[arm], dst[1-arm] = c.Propensity[t], 1-c.Propensity[t]
}

// relative is by how much q of propensities that are known in full can be off, with room
// to spare: twice as much as p, whose relative part is 2⁻²⁴.
const relative = 0x1p-22

// readEnds finds how far q can be off, by the ends of p.
func (s *Sampled) readEnds(ctx context.Context, f *Facts) error {
	of := f.Ends.Allocation(f.Slice.Schema())
	if s.Ends = (precision.Ends{Relative: relative}); of.Full() || !f.Slice.HasPropensity() {
		return nil
	}
	return Fold(ctx, f.Slice, f.Jobs, func(i int) (float64, error) {
		c, p, most := f.Slice.Chunk(i), make([]float64, f.K()), 0.0
		for t := range c.Arm {
			s.row(&c, t, p)
			most = max(most, s.off(&of, p))
		}
		return most, nil
	}, func(part float64) { s.Ends.Room = max(s.Ends.Room, part) })
}

// off is the most by which q of a row can be off.
func (s *Sampled) off(of *precision.Ends, p []float64) float64 {
	least, most := make([]float64, len(p)), make([]float64, len(p))
	low, high, sum := 0.0, 0.0, 0.0
	for arm, x := range p {
		o := s.arms[arm]
		if x > 0 {
			least[arm], most[arm] = of.Both(x)
		}
		least[arm], most[arm] = float64(least[arm]*o), float64(most[arm]*o)
		low, high, sum = low+least[arm], high+most[arm], sum+float64(x*o)
	}
	off := 0.0
	for arm, x := range p {
		q := float64(x*s.arms[arm]) / sum
		if up := most[arm] + low - least[arm]; up > 0 {
			off = max(off, most[arm]/up-q)
		}
		if down := least[arm] + high - most[arm]; down > 0 {
			off = max(off, q-least[arm]/down)
		}
	}
	return off
}

// DrawEnds returns the ends of the propensities with which an allocation is compared.
func (f *Facts) DrawEnds() precision.Ends {
	if f.Sampled.ByArm() {
		return f.Sampled.Ends
	}
	return f.Ends.Allocation(f.Slice.Schema())
}

// KeptWords say that arms are held against q; "" where they are held against p.
func (s *Sampled) KeptWords() string {
	if !s.ByArm() {
		return ""
	}
	return fmt.Sprintf("Rows were kept by their arm (%s), so that arms are held against p·o/Σ p·o, with o the probability with which a row of an arm is kept.", s.Said)
}
