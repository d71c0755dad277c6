package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"banditaudit/report/answers"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	maxMechanisms = 60 // lines of the table of mechanisms
	openLines     = 12 // up to which that table is not folded away
	maxLevels     = 20 // lines of the table of cost levels
)

// privacy adds the accounting of the logged experiment.
func (s *experimentView) privacy(b *page.Builder) {
	at := s.pointer("privacy")
	a := &s.x.Privacy
	b.Heading(s.level, "Privacy accounting", at)
	b.Opening("How much can one reward show through what was given out?", answers.Spent(s.results, s.x, s.protocol))
	s.verdict(b, schemas.KindPrivacyTotal)
	if a.EpsilonClaimed == nil && a.RhoClaimed == nil && a.EpsilonMechanism == nil && len(a.Mechanisms) == 0 {
		b.Say("Nothing private was claimed and no mechanism was declared, so there is nothing to account for. A policy with a counter would make it possible.")
		return
	}
	if s.notDeclared() {
		b.Add(page.FixedPara("The log contradicts that the declared mechanism made it (policy.conformance): every number in this section is of that mechanism, and none is of the one that ran."))
	}
	b.Add(accountTable(a, at))
	s.figure(b, figure.Spent, "")
	b.Say(parametersSentence(a))
	for _, note := range a.Notes {
		b.Say(note)
	}
	b.Add(page.FixedPara(s.randomness()))
	s.lowerBound(b, a, at)
	addMechanisms(b, a, at)
	if len(a.Levels) > 0 {
		b.Add(levelsByArm(a, at))
		addLevels(b, a, at)
	}
}

// parametersSentence tells the parameters of the table apart: what was claimed
// is an ε or a ρ, and stands beside its own kind.
func parametersSentence(a *schemas.Accounting) string {
	const (
		mechanism = "what the declared mechanism can spend on any sequence of actions"
		path      = "what it spent on the logged one"
	)
	last := " The last is no DP parameter, because it depends on the actions; corrections rest on the costs of the rows of that sequence."
	if a.InferenceCosts == schemas.CostsOwnContext {
		last = " The last is no DP parameter, because it depends on the actions; corrections rest on the costs of the rows of that sequence by each row's own context."
	}
	switch {
	case a.EpsilonMechanism == nil:
		return "The claim could not be accounted for; the verdict says what is missing."
	case a.RhoClaimed != nil:
		return "Claimed was a ρ, and ρ of the declared mechanism is what it is held against; no ε was claimed. The two ε are those of pure privacy, and different numbers: " + mechanism + ", and " + path + "." + last
	case a.EpsilonClaimed == nil:
		return "No privacy was claimed. The two ε are different numbers: " + mechanism + ", and " + path + "." + last
	case a.Definition == schemas.DefinitionApproximate:
		return "The three ε are different numbers: what was claimed, " + mechanism + " at the claimed δ, and, without δ, " + path + "." + last
	}
	return "The three ε are different numbers: what was claimed, " + mechanism + ", and " + path + "." + last
}

// randomness says where noise and draws came from, as far as the protocol says.
// A declared seed says nothing of what a deployment was for.
func (s *experimentView) randomness() string {
	const seeded = " Seeded noise is reproducible, not private: whoever has the seed has the rewards."
	if s.x.Replay.Undrawn {
		return "Source of randomness: none; the declared policy draws nothing, and no counter adds noise."
	}
	if p := s.protocol.Policy; p != nil && p.Seed != nil {
		return "Source of randomness: a declared seed (policy.seed), from which all that the declared mechanism draws can be recomputed." + seeded
	}
	return "Source of randomness: not declared (policy.seed), so that nothing can be said of it here." + seeded
}

func accountTable(a *schemas.Accounting, at string) page.Table {
	t := page.Quantities("Privacy parameters", at)
	t.Rows = append(t.Rows,
		page.Fact("Definition", definition(a.Definition), page.Member(at, "definition")),
		page.Fact("Unit of privacy", unit(a.Unit), page.Member(at, "unit")),
	)
	if a.RhoClaimed != nil {
		t.Rows = append(t.Rows, page.Fact("ρ claimed", page.Ext(a.RhoClaimed, page.Up), page.Member(at, "rho_claimed")))
	} else {
		t.Rows = append(t.Rows, page.Fact("ε claimed", page.Ext(a.EpsilonClaimed, page.Up), page.Member(at, "epsilon_claimed")))
	}
	largest := "largest over all action sequences"
	if a.Definition == schemas.DefinitionApproximate {
		largest = "at the claimed δ, " + largest
	}
	t.Rows = append(t.Rows,
		page.Fact("ε of the declared mechanism ("+largest+")", page.Ext(a.EpsilonMechanism, page.Up), page.Member(at, "epsilon_mechanism")),
		page.Fact("ρ of the declared mechanism (zero-concentrated, largest over all action sequences)", page.Ext(a.RhoMechanism, page.Up),
			page.Member(at, "rho_mechanism")),
		page.Fact("ε realised on this path (not a DP parameter)", page.Ext(a.EpsilonRealized, page.Up), page.Member(at, "epsilon_realized")),
		page.Fact("Σc², the sum of squared costs of the rows", page.Ext(a.SumSquaredCosts, page.Up), page.Member(at, "sum_squared_costs")),
	)
	if a.InferenceCosts == schemas.CostsOwnContext {
		t.Rows = append(t.Rows, page.Fact("Costs of corrections and bounds on biases", "by each row's own context",
			page.Member(at, "inference_costs")))
	}
	if a.LargestUnit != nil {
		t.Rows = append(t.Rows,
			page.Fact("Most rounds of one unit", page.Group(*a.LargestUnit), page.Member(at, "largest_unit")),
			page.Fact("Σ over units of the squared cost of all their rows", page.Ext(a.SumSquaredUnitCosts, page.Up),
				page.Member(at, "sum_squared_unit_costs")))
	}
	if a.Unit == schemas.UnitUser && a.UserLoss != nil {
		t.Rows = append(t.Rows, userRows(a.UserLoss, page.Member(at, "user_loss"))...)
	}
	if a.DeltaClaimed != nil {
		t.Rows = append(t.Rows, page.Fact("δ claimed", page.Short(*a.DeltaClaimed), page.Member(at, "delta_claimed")))
	}
	return t
}

// userRows say what a user loses at most, and at least.
func userRows(u *schemas.UserLoss, at string) []page.Row {
	out := []page.Row{page.Fact("ε of a user with "+schemas.Counted(u.Rounds, "round")+", at most", page.Ext(&u.AtMost, page.Up),
		page.Member(at, "at_most"))}
	if s := u.Shown; s != nil {
		where := "on a sequence of actions that the policy can take"
		if s.By == schemas.AtLeastByLog {
			where = "on the logged actions"
		}
		out = append(out, page.Fact("ε of a user with "+schemas.Counted(s.Rounds, "round")+", at least ("+where+")",
			page.Ext(&s.AtLeast, page.Down), page.Member(page.Member(at, "shown"), "at_least")))
	}
	return out
}

func definition(name string) string {
	return cmp.Or(map[string]string{
		schemas.DefinitionPure:        "pure differential privacy",
		schemas.DefinitionApproximate: "approximate differential privacy",
		schemas.DefinitionZCDP:        "zero-concentrated differential privacy",
	}[name], name)
}

func unit(name string) string {
	return cmp.Or(map[string]string{schemas.UnitRound: "one round's reward", schemas.UnitUser: "all rewards of one user"}[name], name)
}

func (s *experimentView) lowerBound(b *page.Builder, a *schemas.Accounting, at string) {
	s.verdict(b, schemas.KindPrivacyLower)
	if l := a.LowerBound; l != nil {
		t := page.Quantities("Lower bound found by probing", page.Member(at, "lower_bound"))
		t.Rows = []page.Row{
			page.Fact("ε is at least", page.Short(l.Epsilon), page.Member(t.Pointer, "epsilon")),
			page.Fact("Confidence", page.Short(l.Confidence), page.Member(t.Pointer, "confidence")),
			page.Fact("Runs", page.Group(l.Runs), page.Member(t.Pointer, "runs")),
			page.Fact("Event", l.Event, page.Member(t.Pointer, "event")),
		}
		b.Add(t)
	}
}

// addMechanisms adds the releases, folded away when there are many.
func addMechanisms(b *page.Builder, a *schemas.Accounting, at string) {
	n := len(a.Mechanisms)
	switch {
	case n == 0:
		return
	case n <= openLines:
		b.Add(mechanismTable(a, at))
		return
	}
	title := fmt.Sprintf("All %s mechanisms: the families of noisy releases", page.Group(int64(n)))
	if n > maxMechanisms {
		title = fmt.Sprintf("The first %d of %s mechanisms; results.json holds all", maxMechanisms, page.Group(int64(n)))
	}
	b.Add(page.Fold{Title: title, Blocks: []page.Block{mechanismTable(a, at)}})
}

func mechanismTable(a *schemas.Accounting, at string) page.Table {
	at = page.Member(at, "mechanisms")
	t := page.Table{
		Caption: "Mechanisms: the families of noisy releases",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{{Title: "Mechanism"}, {Title: "Arm"}, page.Numeric("Laplace scale of a sum"), page.Numeric("Sensitivity"), page.Numeric("Releases"), page.Numeric("ε of one release")},
	}
	t.Rows = page.RowsOf(a.Mechanisms[:min(len(a.Mechanisms), maxMechanisms)], at, func(m *schemas.Mechanism, here string) []page.Cell {
		return []page.Cell{
			page.Text(page.Label(m.Name)),
			page.Text(page.Label(m.Arm)),
			page.Number(page.Ext(m.Scale, page.Short), page.Member(here, "scale")),
			page.Number(page.Short(m.Sensitivity), page.Member(here, "sensitivity")),
			page.Number(page.Group(m.Releases), page.Member(here, "releases")),
			page.Number(page.Ext(m.Epsilon, page.Up), page.Member(here, "epsilon")),
		}
	})
	return t
}

// levelsByArm folds the cost levels to one line per arm.
func levelsByArm(a *schemas.Accounting, at string) page.Table {
	type total struct {
		arm      string
		levels   int
		rows     int64
		min, max float64
	}
	var arms []total
	for _, l := range a.Levels {
		i := slices.IndexFunc(arms, func(t total) bool { return t.arm == l.Arm })
		if i < 0 {
			i = len(arms)
			arms = append(arms, total{arm: l.Arm, min: math.Inf(1), max: math.Inf(-1)})
		}
		t := &arms[i]
		t.levels++
		t.rows += l.Rows
		t.min, t.max = min(t.min, float64(l.Cost)), max(t.max, float64(l.Cost))
	}
	out := page.Table{
		Caption: "Cost of a row on the logged path, by arm",
		Pointer: page.Member(at, "levels"),
		RowHead: true,
		Columns: []page.Column{{Title: "Arm"}, page.Numeric("Rows"), page.Numeric("Distinct costs"), page.Numeric("Smallest cost"), page.Numeric("Largest cost")},
	}
	for _, t := range arms {
		out.Rows.Add("",
			page.Text(page.Label(t.arm)),
			page.Number(page.Group(t.rows), page.Member(at, "levels")),
			page.Number(strconv.Itoa(t.levels), page.Member(at, "levels")),
			page.Number(page.Up(t.min), page.Member(at, "levels")),
			page.Number(page.Up(t.max), page.Member(at, "levels")),
		)
	}
	return out
}

// addLevels adds the cost levels, folded away: all of them, or groups of
// neighbours where there are many. With more arms than lines levelsByArm says as
// much.
func addLevels(b *page.Builder, a *schemas.Accounting, at string) {
	at = page.Member(at, "levels")
	lines := grouped(a.Levels, maxLevels)
	if len(lines) > maxLevels {
		b.Note("Each of the " + page.Group(int64(len(a.Levels))) + " cost levels is in tables/ledger.parquet.")
		return
	}
	t := page.Table{Pointer: at, RowHead: true, Columns: []page.Column{{Title: "Arm"}, page.Numeric("Cost c"), page.Numeric("Rows at this cost")}}
	title := fmt.Sprintf("All %s cost levels", page.Group(int64(len(a.Levels))))
	if len(lines) < len(a.Levels) {
		t.Columns[1].Title, t.Columns[2].Title = "Cost c, at most", "Rows"
		title = fmt.Sprintf("%s cost levels in %d groups, each at its largest cost; tables/ledger.parquet holds all", page.Group(int64(len(a.Levels))), len(lines))
	}
	for _, l := range lines {
		here, rows := page.Element(at, l.last), at
		if l.levels == 1 {
			rows = page.Member(here, "rows")
		}
		t.Rows.Add(here,
			page.Text(page.Label(l.arm)),
			page.Number(page.Up(l.cost), page.Member(here, "cost")),
			page.Number(page.Group(l.rows), rows),
		)
	}
	b.Add(page.Fold{Title: title, Blocks: []page.Block{t}})
}

// levelGroup is some neighbouring cost levels of one arm.
type levelGroup struct {
	arm    string
	cost   float64 // the largest
	rows   int64
	levels int
	last   int // index of the level with the largest cost
}

// grouped parts the levels of every arm, which stand together in ascending
// order, into at most limit groups in all, of about equally many levels; each
// arm has one at least. No more than limit levels are not grouped.
func grouped(levels []schemas.CostLevel, limit int) []levelGroup {
	arms := 0
	for i := range levels {
		if i == 0 || levels[i].Arm != levels[i-1].Arm {
			arms++
		}
	}
	size := 1
	if len(levels) > limit { // what is left after one group per arm, rounded up
		room := max(1, limit-arms)
		size = (len(levels) + room - 1) / room
	}
	var out []levelGroup
	for i, l := range levels {
		if n := len(out); i == 0 || l.Arm != out[n-1].arm || out[n-1].levels == size {
			out = append(out, levelGroup{arm: l.Arm, cost: math.Inf(-1)})
		}
		g := &out[len(out)-1]
		g.rows, g.levels = g.rows+l.Rows, g.levels+1
		if c := float64(l.Cost); c > g.cost {
			g.cost, g.last = c, i
		}
	}
	return out
}
