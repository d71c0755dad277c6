package accounting

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// history is a short logged experiment without anything that costs nothing to
// leave out.
type history struct {
	arm   []int32
	round []int64
	batch []int32 // nil: none
	known []int64 // nil: at once
	unit  []int64 // nil: none

	stratum []int64 // nil: none
}

func drawHistory(t *rapid.T) *history {
	n := rapid.IntRange(1, 40).Draw(t, "rounds")
	h := &history{}
	round, batch := int64(0), int32(0)
	delayed, batched := rapid.Bool().Draw(t, "delayed"), rapid.Bool().Draw(t, "batched")
	for i := range n {
		round += 1 + rapid.Int64Range(0, 2).Draw(t, "gap")
		if i > 0 {
			batch += rapid.Int32Range(0, 1).Draw(t, "batch")
		}
		h.arm = append(h.arm, rapid.Int32Range(0, 1).Draw(t, "arm"))
		h.round = append(h.round, round)
		if batched {
			h.batch = append(h.batch, batch)
		}
	}
	if delayed {
		for i := range n {
			at := rapid.IntRange(i, n).Draw(t, "known")
			if at == n {
				h.known = append(h.known, tableau.NeverKnown)
			} else {
				h.known = append(h.known, h.round[at])
			}
		}
	}
	if rapid.Bool().Draw(t, "units") {
		h.unit = drawUnits(t, n)
	}
	return h
}

// drawStrata draws a stratum for every row, of half of the histories.
func (h *history) drawStrata(t *rapid.T, p *schemas.Protocol) {
	if !rapid.Bool().Draw(t, "strata") {
		return
	}
	p.Policy.By = "leaf"
	for next := int64(0); len(h.stratum) < len(h.arm); {
		s := rapid.Int64Range(0, min(next, 2)).Draw(t, "stratum")
		h.stratum = append(h.stratum, s)
		next = max(next, s+1)
	}
}

// drawUnits draws a unit for every row, every number from 0 to the largest at
// least once.
func drawUnits(t *rapid.T, n int) []int64 {
	units := make([]int64, n)
	next := int64(0)
	for i := range units {
		units[i] = rapid.Int64Range(0, next).Draw(t, "unit")
		if units[i] == next {
			next++
		}
	}
	return units
}

func (h *history) slice(tb testing.TB) *tableau.Slice {
	tb.Helper()
	n := len(h.arm)
	b := tableau.Batch{Experiment: make([]int32, n), Round: h.round, Arm: h.arm, Reward: make([]float64, n), Batch: h.batch, RewardRound: h.known, Unit: h.unit, Stratum: h.stratum}
	return slice(tb, tableau.Schema{
		Arms: 2, Reward: [2]float64{0, 1}, Batch: h.batch != nil, RewardRound: h.known != nil, Unit: h.unit != nil, Stratum: h.stratum != nil,
		Experiments: []tableau.Range{{ID: "shop", Rows: int64(n)}},
	}, &b)
}

// brute is what arrivals should say of a row, from the definition: decision j
// sees what was known before the round at which the policy last learned: its stratum's
// state, after rounds of its own, or where the batch changed.
func (h *history) brute(m *replay.Mechanism) []arrival {
	n := len(h.arm)
	stratum := h.stratum
	if stratum == nil {
		stratum = make([]int64, n)
	}
	view := make([]int64, n) // rewards known after rounds before it are seen
	soon := make([]int64, n) // and charged: those before it, where a state learns after rounds of its own
	var last, rounds [3]int64
	for j := range n {
		before := int32(0)
		if j > 0 && h.batch != nil {
			before = h.batch[j-1]
		}
		s := stratum[j]
		if rounds[s]++; m.ByBatch() && h.batch != nil && h.batch[j] != before {
			last = [3]int64{h.round[j], h.round[j], h.round[j]}
		} else if !m.ByBatch() && m.Learns(rounds[s], false) {
			last[s] = h.round[j]
		}
		view[j] = last[s]
		if soon[j] = view[j]; m.Stratified() && !m.ByBatch() {
			soon[j] = h.round[j]
		}
	}
	known := h.round
	if h.known != nil {
		known = h.known
	}
	out := make([]arrival, n)
	for i := range out {
		a := &out[i]
		a.arm, a.from = int(h.arm[i]), int(stratum[i])*2+int(h.arm[i])
		used := false
		for j := range n {
			if stratum[j] != stratum[i] {
				continue
			}
			used = used || known[i] < view[j]
			if known[i] < soon[j] {
				a.later++
				if h.arm[j] == h.arm[i] {
					a.same++
				}
			}
		}
		if !used {
			a.later, a.same = 0, 0
			continue
		}
		for j := range n {
			if stratum[j] == stratum[i] && h.arm[j] == h.arm[i] && (known[j] < known[i] || known[j] == known[i] && j <= i) {
				a.place++
			}
		}
	}
	return out
}

// mechanisms are protocols whose laws are of all kinds, under a schedule.
func mechanisms(t *rapid.T, batch bool) *schemas.Protocol {
	var p *schemas.Protocol
	switch rapid.IntRange(0, 6).Draw(t, "pair") {
	case 0:
		p = protocol("ucb", "hybrid")
	case 1:
		p = protocol("softmax", "exact")
		p.Policy.Set("eta", 0.25)
	case 2:
		p = protocol("epsilon-greedy", "exact")
		p.Policy.Set("explore", 0.1)
	case 3:
		p = protocol("epsilon-greedy", "exact")
		p.Policy.Set("explore", schemas.Values{"decay": 2.5})
	case 4:
		p = protocol("ucb", "exact")
	case 5:
		p = protocol("uniform", "")
	case 6:
		p = protocol("ucb", "tree")
		p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational("0.7"), 40
	}
	switch {
	case batch && rapid.Bool().Draw(t, "by batch"):
		p.Policy.Update = &schemas.Update{Batch: true}
	default:
		p.Policy.Update = &schemas.Update{Every: rapid.Int64Range(1, 6).Draw(t, "every")}
	}
	return p
}

// The accounting of random histories, with schedules, delays and units, against
// the definition, row by row.
func TestAccountAgainstDefinition(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		p := mechanisms(t, h.batch != nil)
		h.drawStrata(t, p)
		p.Privacy = &schemas.Privacy{Epsilon: schemas.MustRational("1")}
		if h.unit != nil && rapid.Bool().Draw(t, "per user") {
			p.Privacy.Unit = "user"
		}
		m := mechanismOf(t, p, arms())
		s := h.slice(outer)
		a, _, err := declare(t, p).Account(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		law, err := declare(t, p).Law(s)
		if err != nil {
			t.Fatal(err)
		}
		rows := h.brute(m)
		var read [6]int64 // by stream
		for _, r := range rows {
			read[r.from] = max(read[r.from], r.place)
		}
		worst, squares := 0.0, 0.0
		units, counts := map[int64]float64{}, map[int64]int64{}
		for i, r := range rows {
			c := law.Cost(r.place, read[r.from]).Float()
			if path, ok := law.(*ledger.PathLaw); ok {
				m := r.later
				if path.Opposed {
					m = max(r.same, r.later-r.same)
				}
				c = path.Decisions.Last(m, path.Rounds).Float()
			}
			worst, squares = max(worst, c), squares+c*c
			unit := int64(0)
			if h.unit != nil {
				unit = h.unit[i]
			}
			units[unit] += c
			counts[unit]++
		}
		near := func(what string, got *schemas.Extended, want float64) {
			if got == nil || float64(*got) < want*(1-1e-12) || float64(*got) > want*(1+1e-9) {
				t.Fatalf("%s %v, want %v", what, got, want)
			}
		}
		near("Σc²", a.SumSquaredCosts, squares)
		capped := func(x float64) float64 {
			if h.stratum != nil && p.Policy.Update.Every > 1 {
				return min(x, float64(*a.EpsilonMechanism)) // decisions of strata are counted as if each learned
			}
			return x
		}
		if h.unit == nil {
			near("ε realised", a.EpsilonRealized, capped(worst))
			if a.SumSquaredUnitCosts != nil || a.LargestUnit != nil {
				t.Fatal("units of a log without")
			}
			return
		}
		sum, byUnit, largest := 0.0, 0.0, int64(0)
		for u, c := range units {
			sum, byUnit, largest = max(sum, c), byUnit+c*c, max(largest, counts[u])
		}
		near("Σ by unit", a.SumSquaredUnitCosts, byUnit)
		if *a.LargestUnit != largest {
			t.Fatalf("the largest unit has %d rounds, not %d", *a.LargestUnit, largest)
		}
		if p.Privacy.Unit == "user" {
			worst = sum
			total := law.Epsilon()
			if path, ok := law.(*ledger.PathLaw); ok && h.stratum == nil {
				total = path.Decisions.Last(h.decisions(p.Policy.Update), path.Rounds)
			}
			ofUser(t, &a, law, total.Times(largest), sum)
			if r := ledger.Concentrated(law) * float64(largest*largest); float64(*a.RhoMechanism) > r*(1+1e-9) {
				t.Fatalf("ρ of a user is %v, and m²·ρ %v", *a.RhoMechanism, r)
			}
			worst = min(worst, float64(*a.EpsilonMechanism))
		}
		near("ε realised", a.EpsilonRealized, capped(worst))
		if float64(*a.EpsilonRealized) > float64(*a.EpsilonMechanism) {
			t.Fatal("more was spent than the mechanism can spend")
		}
	})
}

// decisions counts the rounds whose choice can depend on the reward of round 1:
// those from the first on before which the policy learned.
func (h *history) decisions(u *schemas.Update) int64 {
	rounds := int64(len(h.arm))
	if !u.Batch {
		return max(0, rounds-u.Every)
	}
	for row, b := range h.batch {
		if b != h.batch[0] {
			return rounds - int64(row)
		}
	}
	return 0
}

// However few units are summed at once, the sums are the same; a chunk's end
// changes nothing.
func TestUnitWindows(t *testing.T) {
	p := protocol("softmax", "exact")
	p.Policy.Set("eta", 0.125)
	h := &history{}
	const n = tableau.BatchRows + 700
	for i := range int64(n) {
		h.arm = append(h.arm, int32(i*i%7%2))
		h.round = append(h.round, i+1)
		h.known = append(h.known, min(i+1+i%5, n))
		h.unit = append(h.unit, min(i, i*2654435761%900))
	}
	seen := map[int64]bool{}
	for i, u := range h.unit { // every number below the largest must occur
		if i < 900 {
			h.unit[i] = int64(i)
			u = int64(i)
		}
		seen[u] = true
	}
	s := h.slice(t)
	m := mechanismOf(t, p, arms())
	e := &Experiment{Declared: &Declared{Protocol: p, Arms: arms(), Mechanism: m}, Context: context.Background(), Slice: s}
	k, err := e.known()
	if err != nil {
		t.Fatal(err)
	}
	law := m.LawOver(n)
	whole, err := e.unitWindows(law, &k, unitWindow)
	if err != nil || int64(len(seen)) != s.UnitCount() {
		t.Fatal(err)
	}
	for _, window := range []int64{7, 899, 900, 901} {
		got, windowErr := e.unitWindows(law, &k, window)
		if windowErr != nil || got.largest != whole.largest || got.worst != whole.worst || math.Abs(got.squares/whole.squares-1) > 1e-12 {
			t.Errorf("%d units at once: %+v, all at once %+v (%v)", window, got, whole, windowErr)
		}
	}
	// The sum over units of their costs is that over rows, of delays up to 4.
	total, want := 0.0, 0.0
	cost := e.costs(law, &k)
	err = e.arrivals(&k, true, func(at *arrival) error {
		total += cost(at)
		return nil
	})
	after := [2]int64{}
	ahead := int64(n) // decisions from row ahead on are counted in after
	for i := int64(n) - 1; i >= 0; i-- {
		known := h.known[i]
		if known >= n {
			continue
		}
		for ; ahead > known; ahead-- {
			after[h.arm[ahead-1]]++
		}
		same := after[h.arm[i]]
		for r := known - 1; r >= ahead; r-- { // known before an earlier row's reward was
			if h.arm[r] == h.arm[i] {
				same--
			}
		}
		later := n - known
		want += 0.125 * float64(max(same, later-same))
	}
	if err != nil || math.Abs(total/want-1) > 1e-12 {
		t.Errorf("Σc = %v, want %v (%v)", total, want, err)
	}
}

// ofUser holds what bounds the loss of a user against the number of rounds times what one
// loses, and against what one loses on the logged path.
func ofUser(t interface{ Fatalf(string, ...any) }, a *schemas.Accounting, law ledger.Law, most ledger.Loss, logged float64) {
	got := float64(*a.EpsilonMechanism)
	_, drawn := law.(*ledger.PathLaw)
	if got > most.Up() || !drawn && got < logged*(1-1e-9) || law.Epsilon().IsInf() != math.IsInf(got, 1) {
		t.Fatalf("a user loses at most %v; %v by rounds, and %v on the logged path", got, most, logged)
	}
	switch u := a.UserLoss; {
	case law.Epsilon().IsZero() || law.Epsilon().IsInf():
		if u != nil {
			t.Fatalf("bounds %+v where nothing finite is lost", u)
		}
	case u == nil || float64(u.AtMost) != got || drawn && u.Shown != nil:
		t.Fatalf("bounds %+v, ε %v", u, got)
	case u.Shown != nil && u.Shown.AtLeast > u.AtMost:
		t.Fatalf("at least %v and at most %v", u.Shown.AtLeast, u.AtMost)
	}
}

func TestAccountDefinitions(t *testing.T) {
	h := &history{arm: []int32{0, 1, 1, 0}, round: []int64{1, 2, 3, 4}, unit: []int64{0, 1, 0, 1}}
	account := func(v schemas.Privacy, units bool) schemas.Accounting {
		t.Helper()
		p := protocol("ucb", "hybrid") // ε = 0.3
		p.Privacy = &v
		l := *h
		if !units {
			l.unit = nil
		}
		a, _, err := declare(t, p).Account(context.Background(), l.slice(t))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	is := func(what string, got *schemas.Extended, want float64) {
		t.Helper()
		if got == nil || math.Abs(float64(*got)-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	rho := float64(*account(schemas.Privacy{}, false).RhoMechanism)
	a := account(schemas.Privacy{Definition: "zcdp", Rho: schemas.MustRational("0.5")}, false)
	is("ρ claimed", a.RhoClaimed, .5)
	is("ε beside it is the pure one", a.EpsilonMechanism, .3)
	if a.EpsilonClaimed != nil {
		t.Error("an ε that nobody claimed")
	}
	a = account(schemas.Privacy{Definition: "approximate", Epsilon: schemas.MustRational("1"), Delta: new(1e-6)}, false)
	is("a small pure ε is the smaller", a.EpsilonMechanism, .3)
	a = account(schemas.Privacy{Definition: "approximate", Epsilon: schemas.MustRational("1"), Delta: new(0.4)}, false)
	is("a large δ", a.EpsilonMechanism, ledger.Approximate(rho, .4))
	a = account(schemas.Privacy{Unit: "user", Epsilon: schemas.MustRational("1")}, true)
	// Round 1 of a stream costs .15 once it has two rows, round 4 at most .15 as the second
	// of two, and no row of four rounds over two arms more than .15 + .15 of ε = .3.
	is("two rounds of one user", a.EpsilonMechanism, .45)
	if r := float64(*a.RhoMechanism); !(r > rho && r < 4*rho) {
		t.Errorf("ρ of two rounds: %v, of one %v", r, rho)
	}
	a = account(schemas.Privacy{Unit: "user", Epsilon: schemas.MustRational("1")}, false)
	if a.EpsilonMechanism != nil || a.RhoMechanism != nil || a.EpsilonRealized != nil || a.SumSquaredCosts == nil {
		t.Errorf("users that the log does not name: %+v", a)
	}
	if !slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, "log.unit is missing") }) {
		t.Errorf("notes %q", a.Notes)
	}
}

// What a user loses at least is shown of a policy that learns after every round, for the cost
// of a row counts a release after each. Where it learns otherwise nothing is shown, and the
// bound from above stands.
func TestNoLossIsShownBetweenUpdates(t *testing.T) {
	h := &history{arm: []int32{0, 1, 1, 0, 1, 1}, round: []int64{1, 2, 3, 4, 5, 6}, batch: []int32{0, 0, 0, 1, 1, 1}, unit: []int64{0, 1, 0, 1, 0, 1}}
	for _, c := range []struct {
		update *schemas.Update
		shown  bool
	}{{nil, true}, {&schemas.Update{Every: 1}, true}, {&schemas.Update{Every: 3}, false}, {&schemas.Update{Batch: true}, false}} {
		p := protocol("ucb", "hybrid")
		p.Privacy, p.Policy.Update = &schemas.Privacy{Unit: "user", Epsilon: schemas.MustRational("1")}, c.update
		a, _, err := declare(t, p).Account(context.Background(), h.slice(t))
		if err != nil {
			t.Fatal(err)
		}
		if u := a.UserLoss; u == nil || !(u.AtMost > 0) || (u.Shown != nil) != c.shown {
			t.Errorf("update %+v: %+v", c.update, u)
		}
	}
}

// BenchmarkAccount measures the accounting alone, by law and with and without
// repeated units.
func BenchmarkAccount(b *testing.B) {
	const n = 1 << 20
	h := &history{}
	for i := range int64(n) {
		h.arm = append(h.arm, int32(i*i%7%2))
		h.round = append(h.round, i+1)
	}
	units := make([]int64, n)
	for i := range units {
		units[i] = int64(min(i, i*7919%(n/8)))
		if i < n/8 {
			units[i] = int64(i)
		}
	}
	softmax := protocol("softmax", "exact")
	softmax.Policy.Set("eta", 0.125)
	decaying := protocol("epsilon-greedy", "exact")
	decaying.Policy.Set("explore", schemas.Values{"decay": 2.5})
	for _, repeated := range []bool{false, true} {
		if repeated {
			h.unit = units
		}
		s := h.slice(b)
		for name, p := range map[string]*schemas.Protocol{"hybrid": protocol("ucb", "hybrid"), "softmax": softmax, "decaying": decaying} {
			if repeated {
				name += "/units"
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					if _, _, err := declare(b, p).Account(context.Background(), s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
			})
		}
	}
}
