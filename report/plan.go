package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// Files of a rendered plan.
const (
	planBounds = "figures/bounds.svg"
	planPower  = "figures/power.svg"
	planRegret = "figures/regret.svg"
)

// PlanMarkdown writes a plan as a page of Markdown: what it comes to, the
// frontier as tables, the figures of PlanFigures by their names, the protocol to
// copy, and what the numbers rest on. All text is escaped as by Markdown.
//
// It returns an error when p is nil or w fails.
func PlanMarkdown(w io.Writer, p *schemas.Plan) error {
	if p == nil {
		return errNoPlan
	}
	b := &builder{}
	b.add(heading{Level: 1, Text: "Plan: ε for " + group(p.Rounds) + " rounds"})
	b.say(p.Advice)
	if len(p.Wishes) > 0 {
		b.add(list{Items: planWishes(p)})
	}
	planTables(b, p)
	if p.Protocol != "" {
		b.heading(2, "Protocol", "/protocol")
		b.say("The declaration of the mechanism that the plan comes to, with the tests that were simulated. Columns of the log and the seed are yours to fill in.")
		b.add(code{Lines: strings.Split(strings.TrimSuffix(p.Protocol, "\n"), "\n")})
	}
	b.heading(2, "What this rests on", "/notes")
	b.add(list{Items: items(p.Notes...)})
	return writeMarkdown(w, &b.doc)
}

// planTables adds the frontier and, where there was one, the simulation.
func planTables(b *builder, p *schemas.Plan) {
	b.heading(2, "What follows from ε", "/frontier")
	b.add(boundsTable(p))
	figures := planFigures(p)
	if len(figures) > 0 {
		b.add(figures[0].picture())
	}
	if p.World == nil {
		return
	}
	b.heading(2, "Simulated", "/world")
	b.say(planWorld(p))
	b.add(outcomesTable(p))
	for _, f := range figures[min(1, len(figures)):] {
		b.add(f.picture())
	}
	b.say("The same policies on exact sums, which bound neither bias nor p:")
	b.add(exactTable(p))
}

func planWishes(p *schemas.Plan) [][]span {
	var out []string
	for _, w := range p.Wishes {
		s := w.Name + " " + map[string]string{"<=": "at most", ">=": "at least"}[w.Relation] + " " + short(w.Threshold)
		if w.EpsilonAt != nil {
			s += ", which ε up to " + literalNumber(*w.EpsilonAt) + " meets"
		}
		out = append(out, s)
	}
	return items(out...)
}

// literalNumber writes every digit.
func literalNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func boundsTable(p *schemas.Plan) table {
	t := table{
		Caption: fmt.Sprintf("Every row costs ε; a test reads all %s rows; p = %s, α = %s", group(p.Rounds), short(p.P), short(p.Alpha)), Pointer: "/frontier",
		Columns: []column{
			numeric("ε"), numeric("bias bound"), numeric("published"), numeric("σ"),
			numeric("corrected p"), numeric("published"), numeric("z needed"), numeric("published"),
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
		at := item("/frontier", i)
		t.Rows = append(t.Rows, row{Pointer: at, Cells: []cell{
			number(literalNumber(f.Epsilon), sub(at, "epsilon")),
			number(up(f.BiasBound), sub(at, "bias_bound")), number(up(float64(f.BiasBoundPaper)), sub(at, "bias_bound_paper")),
			number(sig(f.Sigma), sub(at, "sigma")),
			number(likely(f.PCorrected), sub(at, "p_corrected")), number(likely(f.PCorrectedPaper), sub(at, "p_corrected_paper")),
			number(sig(f.Z), sub(at, "z")), number(opt(f.ZPaper, sig), sub(at, "z_paper")), txt(unmet),
		}})
	}
	return t
}

func outcomesTable(p *schemas.Plan) table {
	t := table{
		Caption: "Simulated, with 95 % intervals", Pointer: "/frontier",
		Columns: []column{
			numeric("ε"),
			{Title: "policy × counter"},
			numeric("regret"), numeric("power, corrected"),
			numeric("power, confidence sequence"), numeric("best arm pulled most"),
			{Title: "σ of the test", Note: "mean", Numeric: true},
		},
	}
	for i := range p.Frontier {
		for j := range p.Frontier[i].Mechanisms {
			m := &p.Frontier[i].Mechanisms[j]
			at := item(sub(item("/frontier", i), "mechanisms"), j)
			power := dash
			if m.Power != nil {
				power = planEstimate(*m.Power)
			}
			t.Rows = append(t.Rows, row{Pointer: at, Cells: []cell{
				number(literalNumber(p.Frontier[i].Epsilon), ""), txt(m.Policy + " × " + m.Counter),
				number(planEstimate(m.Regret), sub(at, "regret")), number(power, sub(at, "power")),
				number(planEstimate(m.Sequence), sub(at, "sequence")), number(planEstimate(m.Found), sub(at, "found")),
				number(opt(m.Sigma, sig), sub(at, "sigma")),
			}})
		}
	}
	return t
}

func exactTable(p *schemas.Plan) table {
	t := table{
		Caption: "Beside: exact sums", Pointer: "/exact",
		Columns: []column{
			{Title: "policy × counter"},
			numeric("regret"), numeric("power, confidence sequence"), numeric("best arm pulled most"),
			{Title: "false alarms without correction", Note: "least-pulled arm, all means equal", Numeric: true},
		},
	}
	for i := range p.Exact {
		m := &p.Exact[i]
		at := item("/exact", i)
		falsely := dash
		if m.FalseAlarms != nil {
			falsely = planEstimate(*m.FalseAlarms)
		}
		t.Rows = append(t.Rows, row{Pointer: at, Cells: []cell{
			txt(m.Policy + " × " + m.Counter), number(planEstimate(m.Regret), sub(at, "regret")),
			number(planEstimate(m.Sequence), sub(at, "sequence")), number(planEstimate(m.Found), sub(at, "found")),
			number(falsely, sub(at, "false_alarms")),
		}})
	}
	return t
}

// planEstimate writes a simulated value with its interval, in the digits that
// the interval leaves.
func planEstimate(e schemas.PlanEstimate) string {
	width := e.Hi - e.Lo
	if !(width > 0) {
		return short(e.Value)
	}
	decimals := max(0, min(6, 1-int(math.Floor(math.Log10(width)))))
	write := func(v float64) string {
		if decimals == 0 && math.Abs(v) < 1<<53 {
			return group(int64(math.Round(v)))
		}
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return write(e.Value) + " [" + write(e.Lo) + ", " + write(e.Hi) + "]"
}

// planWorld says what was simulated.
func planWorld(p *schemas.Plan) string {
	w := p.World
	law := "rewards at the ends of the range [" + short(p.Range[0]) + ", " + short(p.Range[1]) + "]"
	if w.Concentration != nil {
		law = "Beta rewards on the range [" + short(p.Range[0]) + ", " + short(p.Range[1]) + "], concentration " + short(*w.Concentration)
	}
	return fmt.Sprintf("%s arms with means %s, %s; %s rounds, %s of every mechanism, seed %d. The test denies that the mean of the most-pulled arm is %s (%s, two-sided, level %s). Playing every arm equally often has a regret of %s.",
		group(int64(len(w.Means))), planMeans(w.Means), law, group(p.Rounds), plural(int(w.Runs), "run", "runs"), w.Seed, short(w.Tested), planTest(w.Test), short(p.Alpha), sig(w.UniformRegret))
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
		part := short(means[i])
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
