package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditaudit/report/answers"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	maxMechanisms = 60 // lines of the table of mechanisms
	openLines     = 12 // up to which that table is not folded away
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
		b.Note("Each of the " + schemas.Counted(len(a.Levels), "cost level") + " is in tables/ledger.parquet.")
	}
}

// parametersSentence tells the parameters of the table apart: what was claimed
// is an ε or a ρ, and stands beside its own kind.
func parametersSentence(a *schemas.Accounting) string {
	last := " The realised ε is no DP parameter, because it depends on the actions; corrections rest on the costs of the rows of " +
		"that sequence"
	if a.InferenceCosts == schemas.CostsOwnContext {
		last += " by each row's own context"
	}
	last += "."
	switch {
	case a.EpsilonMechanism == nil:
		return "The claim could not be accounted for; the verdict says what is missing."
	case a.RhoClaimed != nil:
		return "A ρ was claimed and is compared with ρ of the declared mechanism; no ε was claimed. Both ε are of pure privacy." + last
	case a.EpsilonClaimed == nil:
		return "No privacy was claimed." + last
	case a.Definition == schemas.DefinitionApproximate:
		return "The ε of the declared mechanism is at the claimed δ; the realised ε is without δ." + last
	}
	return strings.TrimSpace(last)
}

// randomness says where noise and draws came from, as far as the protocol says.
// A declared seed says nothing of what a deployment was for.
func (s *experimentView) randomness() string {
	const seeded = " Seeded noise is reproducible, not private: whoever has the seed has the rewards."
	if s.x.Replay.Undrawn {
		return "Source of randomness: none; the declared policy draws nothing, and no counter adds noise."
	}
	if p := s.protocol.Policy; p != nil && p.Seed != nil {
		return "Source of randomness: a declared seed (policy.seed)." + seeded
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
		page.Fact("ρ of the declared mechanism (zero-concentrated, likewise)", page.Ext(a.RhoMechanism, page.Up),
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
	t := mechanismTable(a, at)
	title := fmt.Sprintf("All %s mechanisms", page.Group(int64(n)))
	if len(t.Rows) == maxMechanisms {
		title = fmt.Sprintf("%d families of the %s mechanisms; results.json holds all", maxMechanisms, page.Group(int64(n)))
	}
	b.Add(page.Fold{Title: title, Blocks: []page.Block{t}})
}

// mechanismTable is a line per family of releases, with the arms that have it.
func mechanismTable(a *schemas.Accounting, at string) page.Table {
	at = page.Member(at, "mechanisms")
	t := page.Table{
		Caption: "Mechanisms: the families of noisy releases",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Mechanism"},
			{Title: "Arms"},
			page.Numeric("Laplace scale of a sum"),
			page.Numeric("Sensitivity"), page.Numeric("Releases of an arm"), page.Numeric("ε of one release"),
		},
	}
	all := len(page.Distinct(a.Mechanisms, func(m *schemas.Mechanism) string { return page.Label(m.Arm) }))
	for i, m := range a.Mechanisms {
		if mechanismBefore(a.Mechanisms[:i], &m) {
			continue
		}
		if len(t.Rows) == maxMechanisms {
			break
		}
		var arms []string
		least, most := m.Releases, m.Releases
		for j := range a.Mechanisms[i:] {
			if o := &a.Mechanisms[i+j]; sameMechanism(o, &m) {
				arms = append(arms, page.Label(o.Arm))
				least, most = min(least, o.Releases), max(most, o.Releases)
			}
		}
		named := page.First(arms, openLines, ", ")
		if len(arms) == all && all > 1 {
			named = "all"
		}
		releases := page.Group(least)
		if most > least {
			releases += " to " + page.Group(most)
		}
		here := page.Element(at, i)
		t.Rows.Add(here,
			page.Text(page.Label(m.Name)),
			page.Text(named),
			page.Number(page.Ext(m.Scale, page.Short), page.Member(here, "scale")),
			page.Number(page.Short(m.Sensitivity), page.Member(here, "sensitivity")),
			page.Number(releases, page.Member(here, "releases")),
			page.Number(page.Ext(m.Epsilon, page.Up), page.Member(here, "epsilon")),
		)
	}
	return t
}

// mechanismBefore reports whether a family is in a list, of another arm.
func mechanismBefore(list []schemas.Mechanism, m *schemas.Mechanism) bool {
	return anyOf(list, func(o *schemas.Mechanism) bool { return sameMechanism(o, m) })
}

// sameMechanism reports whether two families differ by their arms and numbers of releases only.
func sameMechanism(a, b *schemas.Mechanism) bool {
	return a.Name == b.Name && a.Sensitivity == b.Sensitivity &&
		page.Ext(a.Scale, page.Short) == page.Ext(b.Scale, page.Short) && page.Ext(a.Epsilon, page.Up) == page.Ext(b.Epsilon, page.Up)
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
