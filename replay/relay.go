package replay

import (
	"errors"

	"banditaudit/replay/counter"
	"banditaudit/replay/pipe"
	"banditaudit/replay/policy"
)

// Relay tells a run what the counters of another released, which is told of the same rewards
// in the same order and goes before it. The noise is drawn there, and the policy asked here.
type Relay struct {
	pipe *pipe.Pipe[releases]
	told releases // that is being filled
}

// releases are what a bank returned, call after call.
type releases struct {
	rows []int64
	sums []float64
	at   int   // of the next that is used
	err  error // of the call after these
}

// Blocks go round between the two: relayBlocks blocks of relaySize numbers each, or of one
// vector.
const (
	relayBlocks = 8
	relaySize   = 4096
)

// ErrOver is in the chain of the error of a run whose Relay has ended: of Relay.End, for the
// run that is told, and of Relay.Over for the one that tells.
var ErrOver = errors.New("replay: the other run is over")

// NewRelayed starts a run as NewRunner does in two: teller draws the noise, and chooses
// nothing, and run chooses by what teller's counters have released. Both are told of the same
// rewards, each in its own goroutine; teller goes before, and run waits for it. It is for
// mechanisms that read vectors, whose noise takes as long as their choice, without strata.
func (m *Mechanism) NewRelayed(master [32]byte, experiment string) (run, teller *Runner, relay *Relay) {
	relay = &Relay{pipe: pipe.New(relayBlocks, func() releases { return releases{} })}
	run, teller = m.NewRunner(master, experiment), m.NewRunner(master, experiment)
	run.linear.bank = func(counter.VectorBank) counter.VectorBank { return &heard{pipe: relay.pipe} }
	teller.linear.bank = func(b counter.VectorBank) counter.VectorBank { return telling{b, relay} }
	teller.linear.policy = untaught{teller.linear.policy}
	teller.policy, teller.floor, teller.unasked = mute{teller.policy}, nil, true
	return run, teller, relay
}

// End says that teller goes no further.
func (y *Relay) End() {
	if len(y.told.rows) > 0 || y.told.err != nil {
		y.pipe.Put(y.told)
	}
	y.pipe.End()
}

// Over says that run goes no further.
func (y *Relay) Over() { y.pipe.Over() }

// untaught is a linear policy that learns nothing.
type untaught struct{ policy.Linear }

// Learn does nothing.
func (untaught) Learn(int, []float64, int64) {}

// telling is a bank that tells what it releases.
type telling struct {
	counter.VectorBank
	relay *Relay
}

// Add implements counter.VectorBank.
func (b telling) Add(arm int, phi []float64, y float64, dst []float64) (int64, error) {
	rows, err := b.VectorBank.Add(arm, phi, y, dst)
	return rows, b.relay.take(rows, err, dst)
}

// take takes up what a bank returned, and returns its error, or that the other run is over.
func (y *Relay) take(rows int64, err error, sums []float64) error {
	if len(y.told.rows) == 0 {
		block, ok := y.pipe.Empty()
		if !ok {
			return ErrOver
		}
		y.told = block
	}
	if err != nil {
		y.told.err = err
		return err
	}
	y.told.rows, y.told.sums = append(y.told.rows, rows), append(y.told.sums, sums...)
	if len(y.told.sums)+len(sums) > relaySize {
		y.pipe.Put(y.told)
		y.told = releases{}
	}
	return nil
}

// heard is a bank that returns what it is told.
type heard struct {
	pipe *pipe.Pipe[releases]
	now  releases
}

// Add implements counter.VectorBank.
func (h *heard) Add(_ int, _ []float64, _ float64, dst []float64) (rows int64, err error) {
	for h.now.at == len(h.now.rows) {
		if h.now.err != nil {
			return 0, h.now.err
		}
		if h.now.rows != nil {
			h.pipe.Return(releases{rows: h.now.rows[:0], sums: h.now.sums[:0]})
		}
		var ok bool
		if h.now, ok = h.pipe.Filled(); !ok {
			return 0, ErrOver
		}
	}
	at := h.now.at
	h.now.at++
	copy(dst, h.now.sums[at*len(dst):])
	return h.now.rows[at], nil
}
