package wager

// ahead gathers rounds to wager on in blocks. A block is taken in a goroutine of its own
// while the next is gathered, so that a walk that finds propensities does not wait for what
// is wagered on them. Blocks are taken one after the other: what comes of them is what comes
// of rounds that are taken as they come.
type ahead struct {
	gathered, taken block
	done            chan any // gives what the goroutine panicked with; nil: there is none
}

// blockEnds is how many propensities end a block: 64 KiB.
const blockEnds = 1 << 13

// block is bets whose ends are its own.
type block struct {
	bets []bet
	ends []float64
}

// Behind has the wager go on behind the walk.
func (w *Wager) Behind() { w.ahead = new(ahead) }

// gather takes up a bet, whose ends may be overwritten afterwards.
func (a *ahead) gather(w *Wager, b bet) {
	a.gathered.add(b)
	if len(a.gathered.ends) >= blockEnds {
		a.wait()
		a.taken, a.gathered = a.gathered, block{a.taken.bets[:0], a.taken.ends[:0]}
		a.done = make(chan any, 1)
		go func() {
			defer func() { a.done <- recover() }()
			a.taken.each(w.bet)
		}()
	}
}

// wait returns when no block is being taken. What panicked there does so here.
func (a *ahead) wait() {
	if a.done == nil {
		return
	}
	panicked := <-a.done
	if a.done = nil; panicked != nil {
		panic(panicked)
	}
}

// settle takes whatever is gathered.
func (a *ahead) settle(w *Wager) {
	if a == nil {
		return
	}
	a.wait()
	a.gathered.each(w.bet)
	a.gathered = block{}
}

// add keeps a bet, and its ends once where both are the same.
func (b *block) add(next bet) {
	same := &next.lo[0] == &next.hi[0]
	if next.lo = b.kept(next.lo); same {
		next.hi = next.lo
	} else {
		next.hi = b.kept(next.hi)
	}
	b.bets = append(b.bets, next)
}

// kept is a copy of ends.
func (b *block) kept(ends []float64) []float64 {
	at := len(b.ends)
	b.ends = append(b.ends, ends...)
	return b.ends[at:]
}

// each hands every bet to take, in order.
func (b *block) each(take func(bet)) {
	for _, next := range b.bets {
		take(next)
	}
}
