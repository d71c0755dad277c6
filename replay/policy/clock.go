package policy

import "banditaudit/schemas/param"

// The words of a clock.
const (
	ClockRound   = "round"
	ClockPlays   = "plays"
	ClockLearned = "learned"
)

// Clock is what a width or a probability of exploring goes by. Its zero value is
// the round. Libraries differ in it: the round t counts the one that is decided, plays
// are the rounds before it, t − 1, and what was learned are the rows in the released
// sums as of the last update, Σ_i N_i, which late rewards, batches and a counter that
// releases now and then leave behind the plays.
type Clock struct {
	base     int64 // added to what is counted; where standing all there is
	learned  bool  // counts rows in released sums, and not rounds
	standing bool  // counts nothing
}

// NewClock returns the clock of a word, ClockRound for "", that begins from offset; or
// where horizon is above 0 one that always shows the horizon.
func NewClock(word string, offset, horizon int64) Clock {
	switch {
	case horizon > 0:
		return Clock{base: horizon, standing: true}
	case word == ClockPlays:
		return Clock{base: offset - 1}
	}
	return Clock{base: offset, learned: word == ClockLearned}
}

// at returns what the clock shows in the round of s: t, t − 1, Σ N_i, each with the
// offset, or the horizon. It reads no reward.
func (c *Clock) at(s *State) int64 {
	switch {
	case c.learned:
		return c.base + rowsOf(s)
	case c.standing:
		return c.base
	}
	return c.base + s.Round
}

// behind reports whether the clock never shows more than the round.
func (c *Clock) behind() bool {
	if c.learned {
		return c.base <= 1 // at most t − 1 rows are known in round t
	}
	return !c.standing && c.base <= 0
}

// rowsOf returns Σ N_i.
func rowsOf(s *State) int64 {
	n := int64(0)
	for _, rows := range s.Pulls {
		n += rows
	}
	return n
}

const (
	clockKey   = "clock"
	offsetKey  = "offset"
	horizonKey = "horizon"
)

// clockKeys are the keys of a clock, in the group of what goes by it.
func clockKeys() []param.Key {
	return []param.Key{
		{Name: clockKey, Doc: "what is counted: the round that is decided, the plays before it, or the rows that the policy has learned from", Form: param.Word{Words: []string{ClockRound, ClockPlays, ClockLearned}}, Near: nearClocks},
		{Name: offsetKey, Doc: "what is added to the clock", Form: param.Whole(0, 1e9), Near: nearOffsets},
	}
}

// nearClocks are the other words of a clock.
func nearClocks(v param.Values) []param.Values {
	now := v.Word(clockKey)
	if now == "" {
		now = ClockRound
	}
	return words(v, clockKey, now, ClockPlays, ClockLearned, ClockRound)
}

// words are values with each of some words of a key, but for the one that it has.
func words(v param.Values, key, now string, all ...string) []param.Values {
	var out []param.Values
	for _, word := range all {
		if word != now {
			out = append(out, v.With(key, word))
		}
	}
	return out
}

// nearOffsets are an offset of one more, and of one less.
func nearOffsets(v param.Values) []param.Values {
	x := v.Float(offsetKey)
	out := []param.Values{v.With(offsetKey, x+1)}
	if x >= 1 {
		out = append(out, v.With(offsetKey, x-1))
	}
	return out
}

// horizonOfKey is the key of a horizon in place of a clock.
func horizonOfKey() param.Key {
	return param.Key{Name: horizonKey, Doc: "number of rounds that stands in place of the clock", Form: param.Whole(1, 1e15)}
}

// checkClock judges whether a group has a clock or a horizon.
func checkClock(j param.Judge, path string, v param.Values) {
	for _, key := range []string{clockKey, offsetKey} {
		if v.Has(horizonKey) && v.Has(key) {
			j.Fail(path+"."+key, "stands beside "+path+"."+horizonKey, "a horizon stands in place of a clock", "delete one of the two")
		}
	}
}

// declaredClock returns the clock of a group.
func declaredClock(v param.Values) Clock {
	return NewClock(v.Word(clockKey), int64(v.Float(offsetKey)), int64(v.Float(horizonKey)))
}

// withClock declares the clock of a group, the round, and no offset, where neither a
// clock nor a horizon is declared.
func withClock(v param.Values) param.Values {
	if v == nil || v.Has(horizonKey) {
		return v
	}
	if !v.Has(clockKey) {
		v = v.With(clockKey, ClockRound)
	}
	if !v.Has(offsetKey) {
		v = v.With(offsetKey, 0.0)
	}
	return v
}
