package policy

import (
	"maps"
	"math/bits"
	"math/rand/v2"

	"banditaudit/schemas/param"
)

// The words of how a policy begins that plays arms without rows before others.
const (
	StartInOrder = "in-order"
	StartAny     = "any"
	StartRandom  = "random"
	StartNone    = "none"
)

// Start says how a policy begins whose indices are made of each arm's released sum
// S_i of N_i rows. Its zero value is a start in order.
//
//	in order   an eligible arm without rows comes before all others: of several the
//	           one that was played least, by the plays that the state counts (a run
//	           that learns at updates counts them as of the last), then the first
//	any        an eligible arm without rows comes before all others, and which one is
//	           free; here it is the same as in a start in order
//	random     an eligible arm without rows comes before all others, each of m with
//	           probability 1/m: number ⌊word·m/2⁶⁴⌋ among them in index order, with one
//	           word of a stream of its own in every round in which there are any
//	none       an arm without rows has the mean Mean, and no width
//	rows       every arm has Rows rows of the sum Sum more than its released ones,
//	           (S_i ⊕ Sum) ⊘ (N_i ⊕ Rows), so that none is without; they are not counted
//	           by a clock
type Start struct {
	Word      string
	Mean      float64 // under none
	Rows, Sum float64 // pseudo-rows of every arm; 0: none

	place []int       // of each arm in the policy's own order; nil: the order of the arms
	src   rand.Source // of a random start
}

// waits reports whether an arm without rows comes before all others.
func (b *Start) waits() bool { return b.Rows == 0 && b.Word != StartNone }

// random reports whether it is drawn which.
func (b *Start) random() bool { return b.Word == StartRandom }

// mean returns the mean of a released sum of a number of rows, and of the rows that stand
// beside it.
func (b *Start) mean(sum float64, rows int64) (mean, n float64) {
	if b.Rows > 0 {
		n = float64(rows) + b.Rows
		return (sum + b.Sum) / n, n
	}
	if rows == 0 {
		return b.Mean, 0
	}
	return sum / float64(rows), float64(rows)
}

// next returns the eligible arm without rows that is played; −1 where there is none,
// or such arms do not come before others.
func (b *Start) next(s *State) int {
	if !b.waits() {
		return -1
	}
	if !b.random() || b.src == nil {
		return unseen(s, b.place)
	}
	m := 0
	for i := range s.Pulls {
		m += waiting(s, i)
	}
	if m == 0 {
		return -1
	}
	n, _ := bits.Mul64(b.src.Uint64(), uint64(m))
	for i := range s.Pulls {
		if waiting(s, i) == 0 {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return -1
}

// chances writes the probability with which next returns each arm, and reports
// whether there is any.
func (b *Start) chances(s *State, dst []float64) bool {
	if !b.waits() {
		return false
	}
	arm := unseen(s, b.place)
	if arm < 0 {
		return false
	}
	clear(dst)
	if !b.random() {
		dst[arm] = 1
		return true
	}
	m := 0
	for i := range dst {
		m += waiting(s, i)
	}
	for i := range dst {
		dst[i] = float64(waiting(s, i)) / float64(m)
	}
	return true
}

// waiting is 1 for an arm that can be played and has no released rows.
func waiting(s *State, arm int) int {
	if s.Pulls[arm] == 0 && s.CanPlay(arm) {
		return 1
	}
	return 0
}

// unseen returns, of the eligible arms without released rows, the one that was
// played least, and of equals the first in the order of places; −1 when there is none.
// Where rewards are known and released at once, the first K rounds go in that order;
// where rewards come late, in turn.
func unseen(s *State, place []int) int {
	arm := -1
	for i, n := range s.Pulls {
		if n != 0 || !s.CanPlay(i) {
			continue
		}
		if arm < 0 || s.Played[i] < s.Played[arm] || s.Played[i] == s.Played[arm] && place != nil && place[i] < place[arm] {
			arm = i
		}
	}
	return arm
}

const (
	startKey  = "start"
	unseenKey = "unseen"
	rowsKey   = "rows"
	sumKey    = "sum"
	meanKey   = "mean"
)

// startKeys are the keys of the start of a policy, with the words that it can have.
func startKeys(all ...string) []param.Key {
	form := param.Choice{
		Words: all,
		Group: param.Group{
			Keys: append([]param.Key{
				{Name: rowsKey, Doc: "rows that every arm has more than it was played", Form: param.Between(0, 1e9)},
				{Name: sumKey, Doc: "sum of those rows", Form: param.Rescaled(-1e9, 1e9)},
			}, openingKeys()...),
			Whole: wholeStart,
		},
		Want: "a word, or one of {rows: k, sum: s}, {first: r}, {given: r} and {until: each-played}", Mend: "write in-order, or none for a policy that plays no arm for the sake of its first reward",
	}
	return []param.Key{
		{Name: startKey, Doc: "how the policy begins, with arms of which no reward is known", Form: form, Near: func(v param.Values) []param.Values { return nearStarts(v, all) }},
		{Name: unseenKey, Doc: "what stands for the mean of an arm of which no reward is known", Form: param.Group{
			Keys: []param.Key{{Name: meanKey, Doc: "mean of an arm of which no reward is known", Form: param.Rescaled(-1e9, 1e9)}},
		}},
	}
}

// nearStarts returns the other words of a start, one row of reward 1 or 0 beside the rows
// of every arm, and a draw of all alike until each was played. A number of rounds that were
// given, or drawn, is no dialect.
func nearStarts(v param.Values, all []string) []param.Values {
	now, rest := v.Word(startKey), maps.Clone(v)
	if of := v.Group(startKey); now == "" && !of.Has(rowsKey) && !of.Has(untilKey) {
		return nil
	}
	delete(rest, unseenKey) // the key belongs to start: none
	out := words(rest, startKey, now, all...)
	if v.Group(startKey) == nil {
		out = append(out, rest.With(startKey, param.Values{rowsKey: 1.0, sumKey: 1.0}), rest.With(startKey, param.Values{rowsKey: 1.0, sumKey: 0.0}), rest.With(startKey, param.Values{untilKey: eachPlayed}))
	}
	return out
}

// wholeStart judges whether a start has one form.
func wholeStart(j param.Judge, path string, v param.Values) bool {
	if !oneStart(j, path, v) {
		return false
	}
	if v.Has(rowsKey) != v.Has(sumKey) {
		j.Fail(path, "has rows without a sum, or a sum without rows", "rows beside the released ones have a sum", "write {rows: 1, sum: 1}")
		return false
	}
	return true
}

// oneStart judges whether a start has one form alone.
func oneStart(j param.Judge, path string, v param.Values) bool {
	forms := 0
	for _, key := range []string{rowsKey, firstKey, givenKey, untilKey} {
		forms += b2i(v.Has(key))
	}
	if forms != 1 {
		j.Fail(path, "has not one form", "a start is rows with their sum, a number of first rounds or of rounds that were given, or lasts until each arm was played", "write one of {rows: 1, sum: 1}, {first: 100}, {given: 100} and {until: each-played}")
	}
	return forms == 1
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkStart judges whether what stands for unseen arms is asked for.
func checkStart(j param.Judge, v param.Values) {
	if v.Has(unseenKey) && v.Word(startKey) != StartNone && j.Sound("policy."+startKey) {
		j.Fail("policy."+unseenKey, "is declared", "an arm of which no reward is known has a mean with start: none alone", "add start: none, or delete the key")
	}
}

// withStart declares the start where it is not declared, and the mean of unseen arms
// where that counts.
func withStart(v param.Values, word string) param.Values {
	if !v.Has(startKey) {
		v = v.With(startKey, word)
	}
	if v.Word(startKey) == StartNone && !v.Group(unseenKey).Has(meanKey) {
		v = v.With(unseenKey, param.Values{meanKey: 0.0})
	}
	return v
}

// declaredStart returns the declared start of a policy that begins with a word where
// none is declared.
func declaredStart(v param.Values, word string) Start {
	g := v.Group(startKey)
	out := Start{Word: v.Word(startKey), Mean: v.Group(unseenKey).Float(meanKey), Rows: g.Float(rowsKey), Sum: g.Float(sumKey)}
	if out.Word == "" {
		out.Word = word
	}
	return out
}
