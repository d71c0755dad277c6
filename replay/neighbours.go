package replay

import (
	"encoding/json"
	"slices"
	"strings"

	"banditaudit/schemas"
	"banditaudit/schemas/param"
	"banditaudit/schemas/tree"
)

// Neighbour is a declaration that differs from a protocol's in one option of the policy,
// or in two: a dialect of what is declared.
type Neighbour struct {
	// Say are the keys that would be declared in place of those that are, below policy,
	// on one line each: "width: {c: 2, clock: plays}".
	Say []string
	// Without are keys of the policy that must not be declared beside them.
	Without  []string
	Protocol *schemas.Protocol
	// Options are the keys of which another value is tried, in the order of Neighbours.
	Options []string

	parts []option
}

// option is another value of one option.
type option struct {
	name  string
	own   *param.Neighbour // of the policy's own keys; nil: change
	apply func(p *schemas.Policy)
}

// Neighbours are the declarations that differ from a protocol's in one option of its
// policy, in the order in which they are tried: those that the policy's own keys name
// (param.Key.Near), then those that policies share: ties, the window of near ties, the
// order of arms, the kind of a floor, and when the policy learns. A policy that draws has neighbours that draw,
// and one that does not has none that do, but for ties and the start. Some may be no
// declarations: New says so.
func (c *Catalogue) Neighbours(p *schemas.Protocol, arms []string) []Neighbour {
	kind := c.Policy(p.Policy.Name)
	if kind == nil {
		return nil
	}
	var out []Neighbour
	add := func(o option) {
		n := c.neighbour(p, o)
		if len(n.Say) > 0 && kind.Drawn(p.Policy.Own) == kind.Drawn(n.Protocol.Policy.Own) {
			out = append(out, n)
		}
	}
	for _, own := range kind.Neighbours(p.Policy.Own) {
		add(option{name: own.Option, own: &own})
	}
	if kind.Compares {
		nearTiesOf(p.Policy, add)
		add(option{name: "order", apply: func(q *schemas.Policy) { q.Order = reversed(q.Order, arms) }})
	}
	if kind.Indexed && p.Policy.NearTies.String() != param.MostNearTies {
		add(option{name: "near_ties", apply: func(q *schemas.Policy) { q.NearTies = param.MustRational(param.MostNearTies) }})
	}
	nearFloors(p.Policy.Floor, add)
	if u := p.Policy.Update; kind.Learns() && (u == nil || !u.Batch) {
		nearUpdates(u, add)
	}
	return out
}

// nearTiesOf are the other words of ties.
func nearTiesOf(p *schemas.Policy, add func(option)) {
	for _, word := range []string{param.TiesFirst, param.TiesLast, param.TiesRandom, param.TiesShared, param.TiesName, param.TiesAny} {
		if word != p.Ties && (word != param.TiesFirst || p.Ties != "") {
			add(option{name: "ties", apply: func(q *schemas.Policy) { q.Ties = word }})
		}
	}
}

// nearFloors are a declared floor of another kind.
func nearFloors(floor *schemas.Floor, add func(option)) {
	if floor == nil || !(floor.Value > 0) {
		return
	}
	for _, kind := range param.FloorKinds() {
		if kind != floor.Kind && (kind != param.FloorMix || !floor.Mixed()) {
			add(option{name: "floor", apply: func(q *schemas.Policy) { q.Floor = &schemas.Floor{Kind: kind, Value: floor.Value} }})
		}
	}
}

// nearUpdates learn one round later, or sooner.
func nearUpdates(u *schemas.Update, add func(option)) {
	every := int64(1)
	if u != nil {
		every = max(1, u.Every)
	}
	for _, n := range []int64{every + 1, every - 1} {
		if n >= 1 {
			add(option{name: "update", apply: func(q *schemas.Policy) { q.Update = &schemas.Update{Every: n} }})
		}
	}
}

// reversed is the declared order of arms, the other way around.
func reversed(order, arms []string) []string {
	if len(order) == 0 {
		order = arms
	}
	out := slices.Clone(order)
	slices.Reverse(out)
	return out
}

// Both is the declaration that differs in the options of two neighbours; false where
// these are one option, or touch the same key.
func (c *Catalogue) Both(p *schemas.Protocol, a, b *Neighbour) (Neighbour, bool) {
	for _, x := range a.parts {
		for _, y := range b.parts {
			if x.name == y.name || x.own != nil && y.own != nil && !x.own.Apart(y.own) {
				return Neighbour{}, false
			}
		}
	}
	return c.neighbour(p, slices.Concat(a.parts, b.parts)...), true
}

// neighbour declares some options otherwise.
func (c *Catalogue) neighbour(p *schemas.Protocol, parts ...option) Neighbour {
	q, policy := *p, *p.Policy
	q.Policy = &policy
	n := Neighbour{Protocol: &q, parts: parts}
	for _, o := range parts {
		n.Options = append(n.Options, o.name)
		if o.own != nil {
			policy.Own = o.own.Of(policy.Own)
		} else {
			o.apply(&policy)
		}
	}
	n.Say, n.Without = c.differing(p.Policy, &policy)
	return n
}

// differing writes the keys in which two policies of one name differ.
func (c *Catalogue) differing(was, now *schemas.Policy) (say, without []string) {
	say, without = c.Policy(was.Name).Differing(was.Own, now.Own)
	if was.Ties != now.Ties {
		say = append(say, "ties: "+now.Ties)
	}
	if was.NearTies.String() != now.NearTies.String() {
		say = append(say, "near_ties: "+now.NearTies.String())
	}
	if !slices.Equal(was.Order, now.Order) {
		say = append(say, orderWords(now.Order))
	}
	if now.Floor != was.Floor {
		say = append(say, floorWords(now.Floor))
	}
	if now.Update != was.Update {
		say = append(say, "update: {every: "+param.Flow(float64(now.Update.Every))+"}")
	}
	return say, without
}

// floorWords writes a floor as a protocol does.
func floorWords(f *schemas.Floor) string {
	if f.Mixed() {
		return "floor: " + param.Flow(f.Value)
	}
	return "floor: {kind: " + f.Kind + ", value: " + param.Flow(f.Value) + "}"
}

// orderWords writes an order of arms as a protocol does: labels may need quotes there.
func orderWords(order []string) string {
	b, err := json.Marshal(map[string][]string{"order": order})
	if err == nil {
		b, err = tree.FromJSON(b)
	}
	if err != nil { // a list of texts has a form
		return "order: [" + strings.Join(order, ", ") + "]"
	}
	return strings.TrimSpace(string(b))
}
