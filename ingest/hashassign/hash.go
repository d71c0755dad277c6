package hashassign

import (
	"strconv"
	"unicode/utf16"
)

// Hash is a platform's way from a unit to a position.
type Hash struct {
	Name  string // the word of policy.draw.hash
	Steps int64  // positions are n/Steps, n from 0 to Steps−1
	place func(seed, unit string) uint32
}

// Hashes lists the hashes that are known.
func Hashes() []Hash {
	return []Hash{
		{Name: "growthbook-v1", Steps: 1_000, place: growthbook1},
		{Name: "growthbook-v2", Steps: 10_000, place: growthbook2},
	}
}

// Named finds a hash by its name; false where none has it.
func Named(name string) (Hash, bool) {
	for _, h := range Hashes() {
		if h.Name == name {
			return h, true
		}
	}
	return Hash{}, false
}

// Position is n of the position n/Steps of a unit. The unit is a text: a whole number
// is written in decimal.
func (h Hash) Position(seed, unit string) int64 { return int64(h.place(seed, unit)) % h.Steps }

// growthbook1 hashes the unit before the seed.
func growthbook1(seed, unit string) uint32 { return fnv1a(unit + seed) }

// growthbook2 hashes the seed before the unit, and the decimal digits of that once more.
func growthbook2(seed, unit string) uint32 {
	return fnv1a(strconv.FormatUint(uint64(fnv1a(seed+unit)), 10))
}

// Offset basis and prime of FNV-1a with 32 bits (draft-eastlake-fnv, section 5).
const (
	fnvBasis = 2166136261
	fnvPrime = 16777619
)

// fnv1a is FNV-1a-32 over the UTF-16 code units of a text, each taken whole, as the
// platform's programs in JavaScript have it. Texts of ASCII alone have the value of
// hash/fnv; others do not.
func fnv1a(text string) uint32 {
	h := uint32(fnvBasis)
	for _, r := range text {
		if r < 0x10000 {
			h = (h ^ uint32(r)) * fnvPrime //nolint:gosec // a rune of a text is not negative
			continue
		}
		first, second := utf16.EncodeRune(r)
		h = (h ^ uint32(first)) * fnvPrime  //nolint:gosec // half of a pair
		h = (h ^ uint32(second)) * fnvPrime //nolint:gosec // half of a pair
	}
	return h
}
