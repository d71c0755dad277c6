package allocation

import (
	"context"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/hashassign"
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// hashedRoom is how far probabilities that the declared policy gives may be from those
// that the platform added up: they are divided by their sum.
const hashedRoom = 0x1p-40

// hashed recomputes the arm of every row from where the hash of the unit's key lies
// (policy.draw.hash, ingest/hashassign): the arm whose range holds that position. Ranges are
// as long as the weights of the row: the logged propensities of all arms, else the
// propensities by a declared policy that reads no rewards. Rows are held one by one and
// nothing is drawn, so that what differs is no chance.
type hashed struct {
	facts *publiclog.Facts

	ranges hashassign.Ranges
	steps  int64
	order  []int          // arms by index, as their ranges stand
	ends   precision.Ends // of the weights
	logged bool           // the weights are the logged ones
	seen   schemas.Hashed // what all workers begin with
}

// readHashed goes over the public columns where a hash is declared; nil elsewhere. Where
// no weights are known, Weights of what it returns is "".
func readHashed(ctx context.Context, f *publiclog.Facts) (*schemas.Hashed, error) {
	d := f.Protocol.Hashed()
	if d == nil {
		return nil, nil //nolint:nilnil // it is not asked for
	}
	h := newHashed(f, d)
	out := h.seen
	if out.Weights == "" {
		return &out, nil
	}
	err := publiclog.Fold(ctx, f.Slice, f.Jobs, h.chunk, func(part *schemas.Hashed) { add(&out, part) })
	return &out, err
}

func newHashed(f *publiclog.Facts, d *schemas.Draw) *hashed {
	schema := f.Slice.Schema()
	h := &hashed{facts: f, steps: schema.Positions, order: armOrder(f), ends: f.Ends.All, logged: schema.PropensityByArm}
	h.ranges.Coverage = *d.Coverage
	h.seen = schemas.Hashed{Hash: d.Hash, Positions: h.steps, Coverage: *d.Coverage}
	switch {
	case h.logged:
		h.seen.Weights = schemas.WeightsLogged
	case f.DeclaredLaw():
		h.seen.Weights, h.ends = schemas.WeightsPolicy, precision.Ends{Room: hashedRoom}
	}
	return h
}

// armOrder returns the policy's own order of arms (policy.order), else the order of the
// manifest's arms.
func armOrder(f *publiclog.Facts) []int {
	labels := f.Manifest.Arms
	if p := f.Protocol.Policy; p != nil && len(p.Order) > 0 {
		labels = p.Order
	}
	out := make([]int, len(labels))
	for i, label := range labels {
		out[i] = slices.Index(f.Manifest.Arms, label)
	}
	return out
}

// chunk holds the rows of a chunk against their hash.
func (h *hashed) chunk(i int) (*schemas.Hashed, error) {
	c, k, out := h.facts.Slice.Chunk(i), h.facts.K(), h.seen
	var law Chances
	if !h.logged {
		law = Blind(h.facts.Mechanism, k)
	}
	at, weights := make([]float64, k), make([]float64, k)
	for t := range c.Arm {
		if law == nil {
			copy(at, c.PropensityByArm[t*k:t*k+k])
		} else {
			law(&c, t, at)
			h.unlike(&c, t, at, &out)
		}
		for place, arm := range h.order {
			weights[place] = at[arm]
		}
		h.row(&c, t, weights, &out)
	}
	return &out, nil
}

// row holds one row against its hash. The weights stand in the order of the ranges.
func (h *hashed) row(c *tableau.Chunk, t int, weights []float64, out *schemas.Hashed) {
	out.Rows++
	n, played := c.Position[t], slices.Index(h.order, int(c.Arm[t]))
	place := h.ranges.Arm(n, h.steps, weights)
	if place == played {
		out.Matched++
		return
	}
	ranges := h.ranges
	ranges.Within = h.within(weights)
	if ranges.Reaches(n, h.steps, weights, played) {
		out.Within++
		out.Window = max(out.Window, ranges.Within)
		return
	}
	expected := ""
	if place == hashassign.None {
		out.Outside++
	} else {
		expected = h.facts.Manifest.Arms[h.order[place]]
	}
	if out.First == nil {
		out.First = &schemas.HashedRow{Round: c.Round[t], Position: float64(n) / float64(h.steps), Arm: h.facts.Manifest.Arms[c.Arm[t]], Expected: expected}
	}
}

// within is how far a weight of a row may be from that which was written.
func (h *hashed) within(weights []float64) float64 {
	most := 0.0
	for _, w := range weights {
		most = max(most, h.ends.At(w)+float64(h.ends.Relative*w))
	}
	return most
}

// unlike counts a row whose logged propensity differs from the propensity by the declared
// policy, from which its arm is recomputed.
func (h *hashed) unlike(c *tableau.Chunk, t int, at []float64, out *schemas.Hashed) {
	if c.Propensity == nil {
		return
	}
	ends := &h.facts.Ends
	low, high := ends.Action.Both(c.Propensity[t])
	if p := at[c.Arm[t]]; p < low-hashedRoom || p > high+hashedRoom {
		out.Unlike++
	}
}

// add takes up the rows that follow.
func add(to, part *schemas.Hashed) {
	to.Rows, to.Matched, to.Within = to.Rows+part.Rows, to.Matched+part.Matched, to.Within+part.Within
	to.Outside, to.Unlike, to.Window = to.Outside+part.Outside, to.Unlike+part.Unlike, max(to.Window, part.Window)
	if to.First == nil {
		to.First = part.First
	}
}
