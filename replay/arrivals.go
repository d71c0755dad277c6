package replay

// Arrivals holds rounds whose reward is not yet known, the one that becomes
// known first on top: a binary heap on (Known, Round). It grows with the number
// of rewards that are out at one time, 32 bytes each. The zero value is empty.
type Arrivals []Arrival

// Arrival is a round whose reward becomes known after round Known.
type Arrival struct {
	Known, Round int64
	Arm          int
	Reward       float64 // of a simulated round; a logged one is read when it is known
}

func before(a, b Arrival) bool {
	return a.Known < b.Known || a.Known == b.Known && a.Round < b.Round
}

// Push adds a round.
func (p *Arrivals) Push(a Arrival) {
	*p = append(*p, a)
	h := *p
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if !before(h[i], h[parent]) {
			break
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// Pop removes and returns the first round that is known after round t, and
// false when there is none.
func (p *Arrivals) Pop(t int64) (Arrival, bool) {
	h := *p
	if len(h) == 0 || h[0].Known > t {
		return Arrival{}, false
	}
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*p = h
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < last && before(h[child+1], h[child]) {
			child++
		}
		if child >= last || !before(h[child], h[i]) {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	return first, true
}
