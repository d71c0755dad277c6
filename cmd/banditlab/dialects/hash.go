package dialects

import (
	"hash/fnv"
	"strconv"
)

// position is where GrowthBook's hash puts a unit, in its version 1 or 2.
func position(version int, seed, unit string) float64 {
	sum := func(text string) uint32 {
		h := fnv.New32a()
		_, _ = h.Write([]byte(text)) // never an error
		return h.Sum32()
	}
	if version == 1 {
		return float64(sum(unit+seed)%1000) / 1000
	}
	return float64(sum(strconv.FormatUint(uint64(sum(seed+unit)), 10))%10000) / 10000
}

// within is the arm whose range holds a position, the last where none does.
func within(at float64, p []float64) int {
	from := 0.0
	for i, v := range p {
		if at >= from && at < from+v {
			return i
		}
		from += v
	}
	return len(p) - 1
}
