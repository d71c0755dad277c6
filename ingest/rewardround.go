package ingest

import (
	"bytes"
	"errors"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/extsort"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
)

// never is the round of a reward that never became known.
const never = math.MaxInt64

// rewardTimes sorts two kinds of events of every experiment by time: that a
// round is played, at its first order key, and that its reward becomes known.
// A reward's round is then the number of rounds at or before that moment; how many of
// them were before it is kept too.
type rewardTimes struct {
	log     *logFiles
	column  keyColumn       // of reward_order; its want is −1 where there is none
	clock   *clock          // nil where the policy does not learn by one
	usable  keyColumn       // the last moment at which it does not know the reward
	rounds  *extsort.Sorter // key: experiment, time
	rewards *extsort.Sorter // the same; payload: row
	to      *byRow
	before  *byRow
	width   int
	buf     []byte
	bad     []bool
}

func newRewardTimes(l *logFiles, want int, c *clock, to, before *byRow, with extsort.Config) *rewardTimes {
	t := &rewardTimes{log: l, column: keyColumn{want: want}, clock: c, rounds: extsort.New(with), rewards: extsort.New(with), to: to, before: before, width: l.rowWidth()}
	if want >= 0 {
		t.column = newKeyColumn(l, want)
	}
	return t
}

// block takes the events of a block whose order keys are loaded.
func (t *rewardTimes) block(r *rows, f *firstPass) error {
	t.bad = cell.Resize(t.bad, r.n)
	copy(t.bad, f.bad)
	b := t.load(r, f)
	for i, code := range f.codes {
		if code < 0 || t.bad[i] {
			continue
		}
		row := r.first + int64(i)
		if err := t.add(t.rounds, code, &f.keys.columns[0], i, -1); err != nil {
			return err
		}
		if t.never(b, i) {
			if err := errors.Join(t.to.add(row, never), t.before.add(row, never)); err != nil {
				return err
			}
			continue
		}
		if t.early(&f.keys.columns[0], i) {
			f.log.faults.Row(fault.RuleEarly, t.column.name, r.place(i), "a reward that became known before its own round was played",
				"correct the times, or name in log.reward_order when the reward became known, on the scale of the first column of log.order")
			continue
		}
		if err := t.add(t.rewards, code, t.known(), i, row); err != nil {
			return err
		}
	}
	return nil
}

// load loads the column of a block, and says when rows are learned by the clock; nil where
// there is no such column.
func (t *rewardTimes) load(r *rows, f *firstPass) (b *pages.Block) {
	if t.column.want >= 0 {
		t.column.load(r, f.log.faults, "the reward_order column", func(i int) { t.bad[i] = true })
		b = r.cols[t.column.want]
	}
	if t.clock == nil {
		return b
	}
	t.usable.numbers = cell.Resize(t.usable.numbers, r.n)
	for i := range t.usable.numbers {
		last := t.clock.until(f.keys.columns[0].numbers[i], t.clock.attribution)
		if b != nil {
			last = max(last, t.clock.until(t.column.numbers[i], 0))
		}
		t.usable.numbers[i] = last
	}
	return b
}

// known is the column of moments after which rewards are known to the policy.
func (t *rewardTimes) known() *keyColumn {
	if t.clock != nil {
		return &t.usable
	}
	return &t.column
}

// never reports whether the reward of row i never became known.
func (t *rewardTimes) never(b *pages.Block, i int) bool {
	return b != nil && b.Nulls > 0 && b.Null[i] || t.clock != nil && t.usable.numbers[i] == never
}

// early reports whether the reward of row i became known before its round.
func (t *rewardTimes) early(order *keyColumn, i int) bool {
	if t.column.want < 0 {
		return false
	}
	if order.text {
		return bytes.Compare(t.column.texts[i], order.texts[i]) < 0
	}
	return t.column.numbers[i] < order.numbers[i]
}

// add adds an event of row i of the block; row, where it is not negative, is its
// number in the log.
func (t *rewardTimes) add(to *extsort.Sorter, code int32, c *keyColumn, i int, row int64) error {
	t.buf = extsort.AppendUint(t.buf[:0], uint64(code), codeBytes) //nolint:gosec // a code
	if c.text {
		t.buf = append(t.buf, c.texts[i]...)
	} else {
		t.buf = extsort.AppendInt64(t.buf, c.numbers[i])
	}
	key := len(t.buf)
	if row >= 0 {
		t.buf = extsort.AppendUint(t.buf, uint64(row), t.width)
	}
	if err := to.Add(t.buf[:key], t.buf[key:]); err != nil {
		return spillError(t.log, "sorting rewards by when they became known", err)
	}
	return nil
}

// number gives every row the round of its reward.
func (t *rewardTimes) number(progress func(int64)) error {
	rounds, err := t.rounds.Sort()
	if err != nil {
		return spillError(t.log, "sorting rewards by when they became known", err)
	}
	rewards, err := t.rewards.Sort()
	if err != nil {
		return spillError(t.log, "sorting rewards by when they became known", err)
	}
	var (
		experiment []byte // of the rounds counted
		count      int64
		last       []byte // moment of the last of them
		earlier    int64  // those before that moment
		more       = rounds.Next()
	)
	for rewards.Next() {
		for ; more && bytes.Compare(rounds.Key(), rewards.Key()) <= 0; more = rounds.Next() {
			if code := rounds.Key()[:codeBytes]; !bytes.Equal(code, experiment) {
				experiment, count = append(experiment[:0], code...), 0
			}
			if !bytes.Equal(rounds.Key(), last) {
				last, earlier = append(last[:0], rounds.Key()...), count
			}
			if count++; count%cell.BlockRows == 0 {
				progress(cell.BlockRows)
			}
		}
		row, _, err := extsort.Uint(rewards.Payload(), t.width)
		if err != nil {
			return err
		}
		before := count
		if bytes.Equal(last, rewards.Key()) {
			before = earlier
		}
		if err := errors.Join(t.to.add(int64(row), count), t.before.add(int64(row), before)); err != nil { //nolint:gosec // what block wrote
			return err
		}
	}
	for _, it := range []*extsort.Iterator{rounds, rewards} {
		if err := it.Err(); err != nil {
			return spillError(t.log, "sorting rewards by when they became known", err)
		}
	}
	return nil
}

// close frees the memory and the files.
func (t *rewardTimes) close() {
	t.rounds.Close()
	t.rewards.Close()
}
