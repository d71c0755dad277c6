// Package pages makes the pages and figures of plans and of the paper's experiments.
package pages

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// PlanMarkdown writes a plan as a page of Markdown: what it comes to, the
// frontier as tables, the figures of PlanFigures by their names, the protocol to
// copy, and what the numbers rest on. All text is escaped as by Markdown.
//
// It returns an error when p is nil or w fails.
func PlanMarkdown(w io.Writer, p *documents.Plan) error {
	if p == nil {
		return errNoPlan
	}
	b := &page.Builder{}
	b.Add(page.Heading{Level: 1, Text: "Plan: ε for " + page.Group(p.Rounds) + " rounds"})
	b.Say(p.Advice)
	if len(p.Wishes) > 0 {
		b.Add(page.List{Items: planWishes(p)})
	}
	planTables(b, p)
	if p.Protocol != "" {
		b.Heading(2, "Protocol", "/protocol")
		b.Say("The declaration of the mechanism that the plan comes to, with the tests that were simulated. Columns of the log and the seed are yours to fill in.")
		b.Add(page.Code{Lines: strings.Split(strings.TrimSuffix(p.Protocol, "\n"), "\n")})
	}
	b.Heading(2, "What this rests on", "/notes")
	b.Add(page.List{Items: page.Items(p.Notes...)})
	return page.WriteMarkdown(w, &b.Doc)
}

// planTables adds the frontier and, where there was one, the simulation.
func planTables(b *page.Builder, p *documents.Plan) {
	b.Heading(2, "What follows from ε", "/frontier")
	b.Add(boundsTable(p))
	figures := planFigures(p)
	if len(figures) > 0 {
		b.Add(figures[0].picture())
	}
	if p.World == nil {
		return
	}
	b.Heading(2, "Simulated", "/world")
	b.Say(planWorld(p))
	b.Add(outcomesTable(p))
	for _, f := range figures[min(1, len(figures)):] {
		b.Add(f.picture())
	}
	b.Say("The same policies on exact sums, which bound neither bias nor p:")
	b.Add(exactTable(p))
}

func planWishes(p *documents.Plan) [][]page.Span {
	var out []string
	for _, w := range p.Wishes {
		s := w.Name + " " + map[string]string{"<=": "at most", ">=": "at least"}[w.Relation] + " " + page.Short(w.Threshold)
		if w.EpsilonAt != nil {
			s += ", which ε up to " + literalNumber(*w.EpsilonAt) + " meets"
		}
		out = append(out, s)
	}
	return page.Items(out...)
}

// literalNumber writes every digit.
func literalNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func boundsTable(p *documents.Plan) page.Table {
	t := page.Table{
		Caption: fmt.Sprintf("Every row costs ε; a test reads all %s rows; p = %s, α = %s", page.Group(p.Rounds), page.Short(p.P), page.Short(p.Alpha)), Pointer: "/frontier",
		Columns: []page.Column{
			page.Numeric("ε"), page.Numeric("bias bound"), page.Numeric("published"), page.Numeric("σ"),
			page.Numeric("corrected p"), page.Numeric("published"), page.Numeric("z needed"), page.Numeric("published"),
			{Title: "unmet wishes"},
		},
	}
	for i := range p.Frontier {
		f := &p.Frontier[i]
		unmet := "none"
		if len(p.Wishes) == 0 {
			unmet = ""
		} else if len(f.Unmet) > 0 {
			unmet = strings.Join(f.Unmet, ", ")
		}
		at := page.Element("/frontier", i)
		t.Rows.Add(at,
			page.Number(literalNumber(f.Epsilon), page.Member(at, "epsilon")),
			page.Number(page.Up(f.BiasBound), page.Member(at, "bias_bound")),
			page.Number(page.Up(float64(f.BiasBoundPaper)), page.Member(at, "bias_bound_paper")),
			page.Number(page.Sig(f.Sigma), page.Member(at, "sigma")),
			page.Number(page.Probability(f.PCorrected), page.Member(at, "p_corrected")),
			page.Number(page.Probability(f.PCorrectedPaper), page.Member(at, "p_corrected_paper")),
			page.Number(page.Sig(f.Z), page.Member(at, "z")), page.Number(page.Opt(f.ZPaper, page.Sig), page.Member(at, "z_paper")),
			page.Text(unmet),
		)
	}
	return t
}

func outcomesTable(p *documents.Plan) page.Table {
	t := page.Table{
		Caption: "Simulated, with 95 % intervals", Pointer: "/frontier",
		Columns: []page.Column{
			page.Numeric("ε"),
			{Title: "policy × counter"},
			page.Numeric("regret"), page.Numeric("power, corrected"),
			page.Numeric("power, confidence sequence"), page.Numeric("best arm pulled most"),
			{Title: "σ of the test", Note: "mean", Numeric: true},
		},
	}
	for i := range p.Frontier {
		for j := range p.Frontier[i].Mechanisms {
			m := &p.Frontier[i].Mechanisms[j]
			at := page.Element(page.Member(page.Element("/frontier", i), "mechanisms"), j)
			power := page.Dash
			if m.Power != nil {
				power = planEstimate(*m.Power)
			}
			t.Rows.Add(at,
				page.Number(literalNumber(p.Frontier[i].Epsilon), ""), page.Text(m.Policy+" × "+m.Counter),
				page.Number(planEstimate(m.Regret), page.Member(at, "regret")), page.Number(power, page.Member(at, "power")),
				page.Number(planEstimate(m.Sequence), page.Member(at, "sequence")), page.Number(planEstimate(m.Found), page.Member(at, "found")),
				page.Number(page.Opt(m.Sigma, page.Sig), page.Member(at, "sigma")),
			)
		}
	}
	return t
}

func exactTable(p *documents.Plan) page.Table {
	t := page.Table{
		Caption: "Beside: exact sums", Pointer: "/exact",
		Columns: []page.Column{
			{Title: "policy × counter"},
			page.Numeric("regret"), page.Numeric("power, confidence sequence"), page.Numeric("best arm pulled most"),
			{Title: "false alarms without correction", Note: "least-pulled arm, all means equal", Numeric: true},
		},
	}
	for i := range p.Exact {
		m := &p.Exact[i]
		at := page.Element("/exact", i)
		falsely := page.Dash
		if m.FalseAlarms != nil {
			falsely = planEstimate(*m.FalseAlarms)
		}
		t.Rows.Add(at,
			page.Text(m.Policy+" × "+m.Counter), page.Number(planEstimate(m.Regret), page.Member(at, "regret")),
			page.Number(planEstimate(m.Sequence), page.Member(at, "sequence")), page.Number(planEstimate(m.Found), page.Member(at, "found")),
			page.Number(falsely, page.Member(at, "false_alarms")),
		)
	}
	return t
}

// planEstimate writes a simulated value with its interval, in the digits that
// the interval leaves.
func planEstimate(e documents.PlanEstimate) string {
	width := e.Hi - e.Lo
	if !(width > 0) {
		return page.Short(e.Value)
	}
	decimals := max(0, min(6, 1-int(math.Floor(math.Log10(width)))))
	write := func(v float64) string {
		if decimals == 0 && math.Abs(v) < 1<<53 {
			return page.Group(int64(math.Round(v)))
		}
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return write(e.Value) + " [" + write(e.Lo) + ", " + write(e.Hi) + "]"
}

// planWorld says what was simulated.
func planWorld(p *documents.Plan) string {
	w := p.World
	law := "rewards at the ends of the range [" + page.Short(p.Range[0]) + ", " + page.Short(p.Range[1]) + "]"
	if w.Concentration != nil {
		law = "Beta rewards on the range [" + page.Short(p.Range[0]) + ", " + page.Short(p.Range[1]) + "], concentration " +
			page.Short(*w.Concentration)
	}
	return fmt.Sprintf("%s arms with means %s, %s; %s rounds, %s of every mechanism, seed %d. The test denies that the mean of the most-pulled arm is %s (%s, two-sided, level %s). Playing every arm equally often has a regret of %s.",
		page.Group(int64(len(w.Means))), planMeans(w.Means), law, page.Group(p.Rounds), schemas.Counted(int(w.Runs), "run"), w.Seed,
		page.Short(w.Tested), planTest(w.Test), page.Short(p.Alpha), page.Sig(w.UniformRegret))
}

func planTest(name string) string {
	if name == "exact" {
		return "exact binomial test"
	}
	return "test by fixed bets"
}

// planMeans lists means, those that repeat as a count.
func planMeans(means []float64) string {
	var parts []string
	for i := 0; i < len(means); {
		n := 1
		for i+n < len(means) && means[i+n] == means[i] {
			n++
		}
		part := page.Short(means[i])
		if n > 1 {
			part += " (" + strconv.Itoa(n) + "×)"
		}
		parts = append(parts, part)
		i += n
	}
	const most = 20
	if len(parts) > most {
		parts = append(parts[:most], "…")
	}
	return strings.Join(parts, ", ")
}
