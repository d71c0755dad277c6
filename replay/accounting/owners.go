package accounting

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/replay/ledger/owner"
	"banditaudit/schemas"
)

// Units of several rounds that are looked at one by one: those with most rounds, and the
// one that lost most on the logged path.
const (
	manyOwners = 64
	ownedRows  = 1 << 20 // rounds of them together whose places are kept
)

// owned is a unit that is looked at.
type owned struct {
	unit, count int64
	rounds      []int64     // places of its rounds in the experiment, from 1
	lost        ledger.Loss // on the logged path
}

// leaders are the units with most rounds; of equal ones those with the smaller number.
type leaders struct {
	units []owned
	rest  int64 // the most rounds of any other
	worst owned // lost most on the logged path, by sum
	sum   float64
}

// see takes up one unit.
func (l *leaders) see(unit, count int64, sum float64) {
	if count == 0 {
		return
	}
	o := owned{unit: unit, count: count}
	if l.worst.count == 0 || sum > l.sum {
		l.worst, l.sum = o, sum
	}
	if len(l.units) == manyOwners && count <= l.units[manyOwners-1].count {
		l.rest = max(l.rest, count)
		return
	}
	at, _ := slices.BinarySearchFunc(l.units, o, func(a, b owned) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.unit, b.unit))
	})
	l.units = slices.Insert(l.units, at, o)
	if len(l.units) > manyOwners {
		l.rest = max(l.rest, l.units[manyOwners].count)
		l.units = l.units[:manyOwners]
	}
}

// all lists the units that are looked at.
func (l *leaders) all() []owned {
	if slices.ContainsFunc(l.units, func(o owned) bool { return o.unit == l.worst.unit }) || l.worst.count == 0 {
		return l.units
	}
	return append(slices.Clone(l.units), l.worst)
}

// userLoss bounds what one unit loses; nil where nothing finite is lost, or the public
// columns contradict the mechanism.
func (e *Experiment) userLoss(law ledger.Law, k *known, units *unitTotals) (*schemas.UserLoss, error) {
	if units == nil || e.Against != nil || law.Epsilon().IsInf() || law.Epsilon().IsZero() {
		return nil, nil //nolint:nilnil // it is no error that there is none
	}
	all := units.leaders.all()
	placed, err := e.place(law, k, all)
	if err != nil {
		return nil, err
	}
	if path, ok := law.(*ledger.PathLaw); ok {
		return e.byDecisions(path, all, units), nil
	}
	run, order := e.openRun(placed)
	owners := make([]owner.Owner, len(all))
	for i, o := range all {
		owners[i] = owner.Owner{Count: o.count, Rounds: o.rounds}
	}
	o := owner.New(law, run)
	bound := o.AtMost(owners, units.leaders.rest)
	out := ofBound(bound.Loss, bound.By)
	if out.Rounds = units.leaders.rest; bound.Owner >= 0 {
		out.Rounds = all[bound.Owner].count
	}
	if run.Rounds > 0 {
		out.Of = &run.Rounds
	}
	units.bounds, units.most, units.bound = o, bound.Loss, true
	if e.Mechanism.Attained() && ledger.Slack(law) == "" && e.readers() == "" {
		out.Shown = e.shown(law, all, owners, order, placed)
	}
	return out, nil
}

func ofBound(l ledger.Loss, by string) *schemas.UserLoss {
	return &schemas.UserLoss{AtMost: schemas.Extended(l.Up()), AtMostExact: l.String(), AtMostBy: by}
}

// byDecisions is userLoss of exact sums, where draws alone hide a reward.
func (e *Experiment) byDecisions(law *ledger.PathLaw, all []owned, units *unitTotals) *schemas.UserLoss {
	most, by, rounds := law.Epsilon().Times(units.largest), schemas.AtMostByRounds, units.largest
	if !e.Mechanism.Stratified() {
		least, of := law.SeveralOf(units.leaders.rest), units.leaders.rest
		for i := range all {
			l := law.SeveralOf(all[i].count)
			if all[i].rounds != nil {
				l = law.Several(all[i].rounds)
			}
			if l.Cmp(least) > 0 || of == 0 {
				least, of = l, all[i].count
			}
		}
		if least.Cmp(most) < 0 {
			most, by, rounds = least, schemas.AtMostByDecisions, of
		}
	}
	units.most, units.bound = most, true
	out, rows := ofBound(most, by), e.Slice.Rows()
	out.Rounds, out.Of = rounds, &rows
	return out
}

// openRun is the run by what is public of it before its actions, and the first round of
// each arm where these are its first rounds.
func (e *Experiment) openRun(placed bool) (run owner.Run, order []int) {
	run = owner.Run{Arms: len(e.Protocol.Arms), Placed: placed, Rounds: e.mostRounds(), Any: e.Mechanism.TakesAny() && placed}
	if e.Mechanism.Stratified() {
		run.Strata = e.stratumRows()
		if run.Rounds != e.Slice.Rows() {
			for i := range run.Strata {
				run.Strata[i] = run.Rounds
			}
		}
	}
	order = e.firstArms()
	if placed && e.Mechanism.PlaysEachFirst() {
		run.Order = order
	}
	return run, order
}

// mostRounds is the most rounds that the experiment can have: those that it had, where
// their number was fixed, else the counter's horizon; 0 where nothing says so.
func (e *Experiment) mostRounds() int64 {
	rows := e.Slice.Rows()
	switch c, k := e.Protocol.Counter, int64(len(e.Protocol.Arms)); {
	case e.Protocol.Experiment.Stopping == schemas.StoppingFixed:
		return rows
	case c == nil || c.Horizon == 0:
		return 0
	case rows <= c.Horizon:
		return c.Horizon
	case k > 0 && c.Horizon <= math.MaxInt32 && rows <= k*c.Horizon:
		return k * c.Horizon // of each arm
	}
	return 0
}

// firstArms are the arms of the first K rounds, where these are all K; nil elsewhere.
func (e *Experiment) firstArms() []int {
	k := len(e.Protocol.Arms)
	if k == 0 || e.Slice.Rows() < int64(k) {
		return nil
	}
	var out []int
	for i := 0; len(out) < k; i++ {
		for _, arm := range e.Slice.Chunk(i).Arm {
			if len(out) < k && slices.Contains(out, int(arm)) {
				return nil
			}
			if len(out) < k {
				out = append(out, int(arm))
			}
		}
	}
	return out
}

// place finds the rounds of units and what they lost on the logged path. It reports
// whether rewards entered the streams in the round in which they were earned.
func (e *Experiment) place(law ledger.Law, k *known, all []owned) (placed bool, err error) {
	placed = !e.Slice.Schema().RewardRound && !e.Slice.Schema().MissingReward
	index, rows := map[int64]int{}, int64(0)
	for i := range all {
		index[all[i].unit] = i
		rows += all[i].count
	}
	if rows > ownedRows {
		return placed, nil
	}
	for i := range e.Slice.Chunks() {
		c := e.Slice.Chunk(i)
		for row, unit := range c.Unit {
			if at, ok := index[unit]; ok {
				all[at].rounds = append(all[at].rounds, c.Start+int64(row)+1)
			}
		}
	}
	return placed, e.lost(law, k, all, index, placed)
}

// lost sums what the rows of units cost on the logged path, exactly. Where rewards are
// known at once, what was released up to the last round counts.
func (e *Experiment) lost(law ledger.Law, k *known, all []owned, index map[int64]int, placed bool) error {
	if _, ok := law.(*ledger.PathLaw); ok || !e.Mechanism.Attained() {
		return nil
	}
	if placed {
		whole, err := e.knownBefore(slices.Repeat([]int64{tableau.NeverKnown}, len(k.limit)))
		if err != nil {
			return err
		}
		k = &whole
	}
	rows := owner.NewRows(law)
	return e.arrivals(k, false, func(at *arrival) error {
		i, row := e.Slice.Locate(at.row)
		if of, ok := index[e.Slice.Chunk(i).Unit[row]]; ok && at.place > 0 {
			all[of].lost = all[of].lost.Add(rows.Cost(at.place, k.read[at.from]))
		}
		return nil
	})
}

// shown is the sequence of actions on which a unit is known to lose most; nil where the
// policy does not learn after every round, for the cost of a row counts a release after each.
func (e *Experiment) shown(law ledger.Law, all []owned, owners []owner.Owner, order []int, placed bool) *schemas.ShownLoss {
	if len(all) == 0 || all[0].rounds == nil || !e.Protocol.Policy.Update.EachRound() {
		return nil
	}
	best := slices.MaxFunc(all, func(a, b owned) int { return a.lost.Cmp(b.lost) })
	out := &schemas.ShownLoss{By: schemas.AtLeastByLog, Rounds: best.count, First: best.rounds[0]}
	most := best.lost
	run := owner.Run{Rounds: e.Slice.Rows(), Arms: len(e.Protocol.Arms), Placed: placed, Any: e.Mechanism.TakesAny() && placed}
	if e.Mechanism.PlaysEachFirst() {
		if run.Order = order; order == nil {
			run.Any = false
		}
	}
	if s, ok := owner.New(law, run).AtLeast(owners); ok && s.Loss.Cmp(most) > 0 {
		of := all[s.Owner]
		out = &schemas.ShownLoss{By: schemas.AtLeastBySequence, Rounds: of.count, First: of.rounds[0]}
		for _, v := range s.Path {
			out.Path = append(out.Path, schemas.PathStretch{Arm: e.Arms[v.Arm], Rounds: v.Rounds})
		}
		most = s.Loss
	}
	out.AtLeast, out.AtLeastExact = schemas.Extended(down(most)), most.String()
	return out
}

// down returns the largest float64 that is not more than a finite loss.
func down(l ledger.Loss) float64 {
	f := l.Float()
	if new(big.Rat).SetFloat64(f).Cmp(l.Rat()) > 0 {
		return math.Nextafter(f, 0)
	}
	return f
}
