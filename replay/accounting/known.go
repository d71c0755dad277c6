package accounting

import (
	"slices"
	"strings"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// known says which rows of the log some decision could use, from public
// columns only: when the policy last learned, and how many rows of each arm's
// stream had arrived by then. Where a rule that reads released values stopped
// the experiment, the last decision is that to stop, after the last round:
// it could use every row that had arrived. Where released values decided a
// column of the log, the same is charged, which is no less than they saw.
//
// Where strata are declared, a stream belongs to an arm in a stratum: number stratum·K +
// arm. Elsewhere it belongs to an arm.
type known struct {
	pulls []int64 // by stream: rounds in which its arm was played
	read  []int64 // by stream: rows whose reward was known when it was last used
	limit []int64 // by stratum: rewards known after rounds before this one were used
	rows  []int64 // by stratum: rounds
}

// known goes over the log once, twice where something is known later.
func (e *Experiment) known() (known, error) {
	if e.readers() != "" && e.Mechanism.Released() != nil {
		return e.knownBefore(slices.Repeat([]int64{tableau.NeverKnown}, max(1, len(e.stratumRows()))))
	}
	return e.learned()
}

// readers say who beside the policy read released values: a rule that stopped the
// experiment, or whatever decided a column of the log; "" where nobody did.
func (d *Declared) readers() string {
	var out []string
	if d.Protocol.Experiment.Stopping == schemas.StoppingReleased {
		out = append(out, "a rule that read released values stopped the experiment")
	}
	for _, s := range schemas.SetBys() {
		if s.Word(d.Protocol) == schemas.SetByReleased {
			out = append(out, "released values decided "+s.What+" ("+s.Path()+")")
		}
	}
	words := strings.Join(out, ", and ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// learned is known for the decisions of the policy alone.
func (e *Experiment) learned() (known, error) { return e.knownBefore(e.LastUsed()) }

// knownBefore returns what is known where a stratum uses the rewards that are known after
// rounds before the stratum's limit.
func (e *Experiment) knownBefore(limit []int64) (known, error) {
	n := len(e.Arms) * len(limit)
	k := known{pulls: make([]int64, n), read: make([]int64, n), limit: limit, rows: make([]int64, len(limit))}
	for i := range e.Slice.Chunks() {
		if err := e.Context.Err(); err != nil {
			return known{}, err
		}
		c := e.Slice.Chunk(i)
		when := c.WhenKnown()
		for row, arm := range c.Arm {
			if arm < 0 || int(arm) >= len(e.Arms) {
				return known{}, ErrArm
			}
			stream, stratum := e.stream(&c, row), stratumOf(&c, row)
			k.pulls[stream]++
			k.rows[stratum]++
			if when[row] < k.limit[stratum] {
				k.read[stream]++
			}
		}
	}
	return k, nil
}

// Law returns what the declared mechanism costs over the rounds and batches of
// a log. Where a rule that reads released values stopped the experiment, or they
// decided a column of the log, that is the law of all that the counter released
// (replay.Mechanism.Released), if one is declared: given the actions alone a reward that no
// later action could use costs nothing, but the end of the log is not given by them. It
// reads no reward. It returns errors of the tableau. A policy must be declared.
func (d *Declared) Law(s *tableau.Slice) (law ledger.Law, err error) {
	err = s.Guard(func() error {
		law = d.lawOf(s)
		return nil
	})
	return law, err
}

func (d *Declared) lawOf(s *tableau.Slice) ledger.Law {
	m := d.Mechanism
	if seen := m.Released(); seen != nil && d.readers() != "" {
		return seen
	}
	if m.Stratified() {
		return d.lawOfStrata(s)
	}
	if !s.Schema().Batch {
		return m.LawOver(s.Rows())
	}
	for i := range s.Chunks() {
		c := s.Chunk(i)
		for row, batch := range c.Batch {
			if batch != 0 {
				return m.LawBatched(s.Rows(), c.Start+int64(row)+1)
			}
		}
	}
	return m.LawBatched(s.Rows(), s.Rows()+1)
}

// LastLearned returns the last round before which the policy learned; 0, which
// no round is before, where it never did.
func (e *Experiment) LastLearned() int64 {
	t := e.Slice.Rows()
	for i := e.Slice.Chunks() - 1; i >= 0; i-- {
		c := e.Slice.Chunk(i)
		for row, round := range slices.Backward(c.Round) {
			if e.Mechanism.Learns(t, e.another(&c, i, row)) {
				return round
			}
			t--
		}
	}
	return 0
}

// another reports whether the batch of row of chunk i differs from the batch of the row
// before; before the first there is batch 0.
func (e *Experiment) another(c *tableau.Chunk, i, row int) bool {
	switch {
	case len(c.Batch) == 0:
		return false
	case row > 0:
		return c.Batch[row] != c.Batch[row-1]
	case i > 0:
		before := e.Slice.Chunk(i - 1).Batch
		return c.Batch[0] != before[len(before)-1]
	}
	return c.Batch[0] != 0
}

// arrival is a row of the log as the mechanism came to know it.
type arrival struct {
	arm   int
	from  int   // its stream
	row   int64 // of the experiment
	place int64 // in its stream, from 1; 0: no decision could use it
	later int64 // decisions that could use it; only where ahead was asked for
	same  int64 // how many of these decisions play arm
}

// arrivals calls visit for every row. Rows that a decision could use come in the order in which
// their rewards arrived and, among equals, in the order of their rounds, as in a replay. With
// ahead it counts the decisions that could. Its memory grows with the number of rewards that
// are out at one time. An error of visit ends it and is returned.
func (e *Experiment) arrivals(k *known, ahead bool, visit func(*arrival) error) error {
	w := &walk{experiment: e, known: k, place: make([]int64, len(k.pulls)), visit: visit}
	if ahead {
		w.scout = newScout(e, k)
	}
	for i := range e.Slice.Chunks() {
		if err := e.Context.Err(); err != nil {
			return err
		}
		if err := w.chunk(i); err != nil {
			return err
		}
	}
	return nil
}

// walk is one pass of arrivals.
type walk struct {
	experiment *Experiment
	known      *known
	place      []int64
	scout      *scout // nil: decisions are not counted
	visit      func(*arrival) error
	at         arrival         // used again for every row
	out        replay.Arrivals // rewards not yet known; rounds are rows of the experiment
}

func (w *walk) chunk(i int) error {
	c := w.experiment.Slice.Chunk(i)
	when, e := c.WhenKnown(), w.experiment.stream
	for row, arm := range c.Arm {
		var err error
		switch {
		case when[row] >= w.known.limit[stratumOf(&c, row)]:
			w.at = arrival{arm: int(arm), from: e(&c, row), row: c.Start + int64(row)}
			err = w.visit(&w.at)
		case c.RewardRound == nil:
			err = w.arrive(e(&c, row), c.Start+int64(row), when[row])
		default:
			w.out.Push(replay.Arrival{Known: when[row], Round: c.Start + int64(row), Arm: e(&c, row)})
		}
		for err == nil {
			a, ok := w.out.Pop(c.Round[row])
			if !ok {
				break
			}
			err = w.arrive(a.Arm, a.Round, a.Known)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// arrive visits a row of a stream whose reward became known.
func (w *walk) arrive(from int, row, known int64) error {
	w.place[from]++
	w.at = arrival{arm: from % len(w.experiment.Arms), from: from, row: row, place: w.place[from]}
	if w.scout != nil {
		w.scout.to(known)
		stratum := from / len(w.experiment.Arms)
		w.at.later = w.known.rows[stratum] - w.scout.rows[stratum]
		w.at.same = w.known.pulls[from] - w.scout.played[from]
	}
	return w.visit(&w.at)
}

// scout walks ahead to the round before which the policy learns next. Where strata are
// declared and the policy learns after a number of their rounds, it is taken to learn
// before every round, which is never later.
type scout struct {
	experiment *Experiment
	chunk      tableau.Chunk
	index      int // of the chunk
	at         int // row within it
	row        int64
	rows       []int64 // by stratum: rounds before row
	played     []int64 // by stream: of these, those that played its arm
	batch      int32   // of the row before
	learns     bool    // the policy learns before row
}

func newScout(e *Experiment, k *known) *scout {
	w := &scout{experiment: e, chunk: e.Slice.Chunk(0), rows: make([]int64, len(k.rows)), played: make([]int64, len(k.pulls))}
	w.look()
	return w
}

// to moves on to the first row before which the policy learns, of those whose
// round is after known. There must be one.
func (w *scout) to(known int64) {
	for !w.learns || w.chunk.Round[w.at] <= known {
		w.played[w.experiment.stream(&w.chunk, w.at)]++
		w.rows[stratumOf(&w.chunk, w.at)]++
		w.row++
		if w.at++; w.at == len(w.chunk.Arm) {
			w.index++
			w.chunk, w.at = w.experiment.Slice.Chunk(w.index), 0
		}
		w.look()
	}
}

// look says whether the policy learns before the row.
func (w *scout) look() {
	another := false
	if b := w.chunk.Batch; b != nil {
		another, w.batch = b[w.at] != w.batch, b[w.at]
	}
	w.learns = w.experiment.Mechanism.LearnsBy(w.row+1, another)
}
