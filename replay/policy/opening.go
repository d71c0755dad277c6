package policy

import "banditaudit/schemas/param"

// Opening are rounds in which a policy draws before its rule chooses: each of the
// eligible arms with the same probability, by masking and rejection from a stream of
// their own (see Uniform). The policy, and its floor, take their own words in these
// rounds as in all others. Its zero value is none.
type Opening struct {
	First int64 // the rounds 1, …, First
	Given int64 // the rounds 1, …, Given were not chosen by the policy, which only learned from them; it counts them as its own all the same
	Until bool  // every round in which an eligible arm was not yet played, by the plays that the policy counts
}

// Draws reports whether a round may be one in which all arms are alike.
func (o *Opening) Draws() bool { return o.First > 0 || o.Until }

// Open reports whether the round is one of them. It reads no reward.
func (o *Opening) Open(s *State) bool {
	if s.Round <= o.First {
		return true
	}
	if !o.Until {
		return false
	}
	for i, n := range s.Played {
		if n == 0 && s.CanPlay(i) {
			return true
		}
	}
	return false
}

const (
	firstKey   = "first"
	givenKey   = "given"
	untilKey   = "until"
	eachPlayed = "each-played"
)

// openingKeys are the keys of an opening, in the group of a start.
func openingKeys() []param.Key {
	return []param.Key{
		{Name: firstKey, Doc: "rounds at the beginning in which every arm is equally likely", Form: param.Whole(1, 1e15)},
		{Name: givenKey, Doc: "rounds at the beginning that the policy did not choose, and learned from", Form: param.Whole(1, 1e15)},
		{Name: untilKey, Doc: "every arm is equally likely until each was played", Form: param.Word{Words: []string{eachPlayed}}},
	}
}

// openingKey is the key of the start of a policy that plays no arm for the sake of its
// first reward.
func openingKey() param.Key {
	return param.Key{Name: startKey, Doc: "how the policy begins", Form: param.Choice{
		Words: []string{StartNone},
		Group: param.Group{Keys: openingKeys(), Whole: oneStart},
		Want:  "none, or one of {first: r}, {given: r} and {until: each-played}", Mend: "write {first: 100} for rounds at the beginning in which every arm is equally likely",
	}}
}

// DeclaredOpening returns the opening that a policy's values declare.
func DeclaredOpening(v param.Values) Opening {
	g := v.Group(startKey)
	return Opening{First: int64(g.Float(firstKey)), Given: int64(g.Float(givenKey)), Until: g.Has(untilKey)}
}

// AnyStart reports whether it is free which arm without rows a policy with these
// values plays.
func AnyStart(v param.Values) bool { return v.Word(startKey) == StartAny }

// Waits reports whether a policy with these values, of those that compare indices of
// sums, plays an arm without rows before all others.
func Waits(v param.Values) bool {
	b := declaredStart(v, StartInOrder)
	return b.waits()
}

// RandomStart reports whether arms without rows are played at random.
func RandomStart(v param.Values) bool { return v.Word(startKey) == StartRandom }
