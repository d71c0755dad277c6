package pages

import (
	"fmt"
	"io"
	"strings"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/report/page"
)

// Reproduction writes reproduce.md: what the paper prints beside what came out,
// with a sentence for every verdict, and for each experiment its settings,
// figures, gates and notes, in the form of Markdown. Figures are linked by the
// names that ReproductionFigures gives them.
//
// It returns an error when r is nil or w fails.
func Reproduction(w io.Writer, r *documents.Reproduction) error {
	if r == nil {
		return errNoReproduction()
	}
	b := &page.Builder{}
	b.Add(page.Heading{Level: 1, Text: "Experiments of Neel and Roth (2018), run again"})
	reproductionHead(b, r)
	for i := range r.Experiments {
		reproducedExperiment(b, r, &r.Experiments[i])
	}
	return page.WriteMarkdown(w, &b.Doc)
}

// FewRuns is what a reader of the short form has to know before its verdicts;
// empty of the full form.
func FewRuns(r *documents.Reproduction) string {
	if r.Size != "short" {
		return ""
	}
	return "Short form: verdicts rest on few runs. Intervals are wide, gates are as much wider, and a difference that the paper's number of runs shows can go unseen. To quote a verdict, run the full form."
}

// reproductionHead says what was run, how verdicts are given, and what they are.
func reproductionHead(b *page.Builder, r *documents.Reproduction) {
	b.Say("Seth Neel and Aaron Roth, Mitigating Bias in Adaptive Data Gathering via Differential Privacy, ICML 2018 (arXiv:1806.02329). " +
		"The paper names no width of its UCB, no law of its rewards, no δ and no base of its logarithms, so that a setting says what was assumed in their stead. " +
		"Settings differ from row to row and were chosen after looking, among widths and with or without the relaxation γ: no one configuration gives all rows. That a figure is reproduced says that it is compatible with the setting named beside it, and not that the authors ran this one; that it is not reproduced is a statement about the settings tried, and not about the program behind the printed figures, which was not seen.")
	b.Say(fmt.Sprintf("Made by %s %s; size %s, seed %d.", r.Tool.Name, r.Tool.Version, r.Size, r.Seed))
	if few := FewRuns(r); few != "" {
		b.Add(page.Para{Spans: []page.Span{{Text: few, Style: page.StyleStrong}}, Class: "note"})
	}
	b.Heading(2, "What the paper prints, and what came out", "")
	b.Say("Ours is an average over runs with its 95 % interval. A figure is reproduced where it is within 1.96·√2 standard errors of ours, as far as two averages of as many runs differ, and half a unit of its last printed digit, and the ends of our interval are not further apart than by a factor of 2, beyond which hardly anything would contradict it; " +
		"it is of the same magnitude only where neither is more than twice the other; and it is not reproduced beyond. Words of the paper without a number are held against what is said in the sentence below.")
	b.Add(printedFigures(r)...)
	b.Heading(2, "Gates", "")
	b.Say("A gate is a number that a correct simulation of these settings gives, whatever its generator. " + gateSentence(r))
}

// Gates counts the gates of a reproduction and those that were not passed.
func Gates(r *documents.Reproduction) (all int, failed []documents.PaperGate) {
	for i := range r.Experiments {
		for _, g := range r.Experiments[i].Gates {
			all++
			if !g.Passed {
				failed = append(failed, g)
			}
		}
	}
	return all, failed
}

func gateSentence(r *documents.Reproduction) string {
	all, failed := Gates(r)
	if len(failed) == 0 {
		return fmt.Sprintf("All %d are passed.", all)
	}
	var out []string
	for _, g := range failed {
		out = append(out, fmt.Sprintf("%s: %s outside [%s, %s]", g.What, page.Short(g.Value), page.Short(g.Lo), page.Short(g.Hi)))
	}
	return fmt.Sprintf("%d of %d are not passed: %s.", len(failed), all, strings.Join(out, "; "))
}

// printedFigures is the table of all figures, and a sentence for each.
func printedFigures(r *documents.Reproduction) []page.Block {
	t := page.Table{Columns: []page.Column{{Title: "figure"}, {Title: "what"}, {Title: "paper"}, {Title: "ours [95 % interval]"}, {Title: "setting"}, {Title: "runs", Numeric: true}, {Title: "verdict"}}}
	var why page.List
	for i := range r.Experiments {
		x := &r.Experiments[i]
		for j := range x.Figures {
			f := &x.Figures[j]
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Mono(f.ID), page.Text(f.What), page.Text(f.Paper), page.Text(FigureValue(f)), page.Mono(f.Setting), page.Text(FigureRuns(x, f)), {Spans: []page.Span{{Text: f.Verdict, Style: page.StyleStrong}}}}})
			why.Items = append(why.Items, []page.Span{{Text: f.ID, Style: page.StyleCode}, {Text: ", "}, {Text: f.Verdict, Style: page.StyleStrong}, {Text: ": " + f.Why}})
		}
	}
	if len(t.Rows) == 0 {
		return []page.Block{page.Para{Spans: page.Plain("The paper prints no figure of these experiments.")}}
	}
	return []page.Block{t, why}
}

// FigureValue is our value of a figure with its interval.
func FigureValue(f *documents.PaperFigure) string {
	if f.Lo == nil || f.Hi == nil {
		return page.Short(f.Ours)
	}
	return three(f.Ours) + " [" + three(*f.Lo) + ", " + three(*f.Hi) + "]"
}

// FigureRuns is the number of runs of each setting of a figure.
func FigureRuns(x *documents.PaperExperiment, f *documents.PaperFigure) string {
	var out []string
	for _, id := range f.Settings() {
		for i := range x.Settings {
			if runs := page.Group(x.Settings[i].Runs); x.Settings[i].ID == id && (len(out) == 0 || out[len(out)-1] != runs) {
				out = append(out, runs)
			}
		}
	}
	return strings.Join(out, " and ")
}

// three writes an estimate at 3 significant digits, as many as its error leaves.
func three(x float64) string { return page.Significant(x, 3) }

// reproducedExperiment is the section of one experiment.
func reproducedExperiment(b *page.Builder, r *documents.Reproduction, x *documents.PaperExperiment) {
	b.Heading(2, x.ID+": "+x.Title, "")
	b.Add(page.Para{Spans: []page.Span{{Text: x.Question, Style: page.StyleStrong}}})
	for _, n := range x.Notes {
		b.Say(n)
	}
	for i := range x.Plots {
		b.Add(page.Picture{Name: plotFile(&x.Plots[i]), Title: x.Plots[i].Title, Caption: plotCaption(r, &x.Plots[i])})
	}
	b.Heading(3, "Settings", "")
	for i := range x.Settings {
		reproducedSetting(b, &x.Settings[i])
	}
	if len(x.Gates) == 0 {
		return
	}
	b.Heading(3, "Gates", "")
	t := page.Table{Columns: []page.Column{{Title: "what"}, {Title: "value", Numeric: true}, {Title: "from", Numeric: true}, {Title: "to", Numeric: true}, {Title: ""}}}
	for _, g := range x.Gates {
		word := "passed"
		if !g.Passed {
			word = "NOT PASSED"
		}
		t.Rows.Add("", page.Text(g.What), page.Text(page.Short(g.Value)), page.Text(page.Short(g.Lo)), page.Text(page.Short(g.Hi)),
			page.Text(word))
	}
	b.Add(t)
}

// reproducedSetting is what was measured in one setting.
func reproducedSetting(b *page.Builder, s *documents.PaperSetting) {
	b.Add(page.Para{Spans: []page.Span{{Text: s.ID, Style: page.StyleCode}, {Text: ": " + page.Sentence(s.Words) + fmt.Sprintf(" %d arms, %s rounds, %s runs.", s.Arms, page.Group(s.Rounds), page.Group(s.Runs))}}})
	t := page.Table{Columns: []page.Column{{Title: "measure"}, {Title: "value", Numeric: true}, {Title: "95 % interval"}}}
	for _, v := range s.Measures {
		interval := page.Dash
		if v.Lo != nil && v.Hi != nil {
			interval = "[" + three(*v.Lo) + ", " + three(*v.Hi) + "]"
		}
		t.Rows.Add("", page.Text(v.Name), page.Text(page.Short(v.Value)), page.Text(interval))
	}
	b.Add(t)
	if len(s.ByArm) == 0 {
		return
	}
	t = page.Table{Columns: []page.Column{{Title: "arm", Numeric: true}, {Title: "mean", Numeric: true}, {Title: "pulls", Numeric: true}, {Title: "bias", Numeric: true}, {Title: "95 % interval"}}}
	for _, a := range s.ByArm {
		t.Rows.Add("", page.Text(page.Group(int64(a.Arm))), page.Text(page.Short(a.Mean)), page.Text(page.Short(a.Pulls)),
			page.Text(three(a.Bias)),
			page.Text("["+three(a.Lo)+", "+three(a.Hi)+"]"))
	}
	b.Add(t)
}
