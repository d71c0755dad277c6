package report

import (
	"fmt"
	"strings"

	"banditaudit/report/page"
	"banditaudit/report/sources"
	"banditaudit/schemas"
)

// rawTests says, once each, what the raw tests assume and what they are valid
// for.
func (s *experimentView) rawTests(b *page.Builder) {
	const named = 6 // tests named per sentence
	var said page.Gathered
	for i := range s.x.Tests {
		if t := &s.x.Tests[i]; t.Test != "" {
			said.Once(t.Test, page.Label(t.ID))
		}
	}
	if len(said.Texts) == 0 {
		return
	}
	lines := make([]string, 0, len(said.Texts))
	for _, text := range said.Texts {
		of := page.First(said.Names[text], named, " and ")
		if len(said.Texts) == 1 && len(said.Names[text]) == len(s.x.Tests) {
			of = "All tests"
		}
		lines = append(lines, of+": "+page.Sentence(text))
	}
	b.Add(page.StrongList("The raw tests, and what each assumes:", lines)...)
}

// choices say which method decides which tests and why, and whether the others agree.
func (s *experimentView) choices(b *page.Builder) {
	const named = 12 // tests named for one reason
	var said page.Gathered
	for i := range s.x.Tests {
		t := &s.x.Tests[i]
		why := page.OrDash(t.Choice)
		if t.Agreement != "" {
			why += "; " + page.OrDash(t.Agreement)
		}
		said.Add(why, page.Label(t.ID))
	}
	lines := make([]string, len(said.Texts))
	for i, why := range said.Texts {
		of := page.First(said.Names[why], named, ", ")
		if tests := said.Names[why]; len(tests) == len(s.x.Tests) && len(tests) > 1 {
			of = "All tests"
		}
		lines[i] = of + ": " + page.Sentence(why)
	}
	b.Add(page.StrongList("What decides each test, and whether the answer depends on the method:", lines[:min(len(lines), maxTests)])...)
}

// reasons lists, once each, why methods gave no answer: which methods, and for
// which tests.
func reasons(tests []schemas.Test) []string {
	const named = 3 // tests named per reason
	var methods, where page.Gathered
	for i := range tests {
		t := &tests[i]
		for j := range t.Results {
			if r := &t.Results[j]; !r.Applicable {
				why := page.Sentence(page.OrDash(r.Reason))
				methods.Once(why, sources.MethodName(r.Method))
				where.Once(why, testName(t))
			}
		}
	}
	out := make([]string, len(where.Texts))
	for i, why := range where.Texts {
		of := "Tests: " + page.First(where.Names[why], named, ", ")
		if len(where.Names[why]) == len(tests) {
			of = "All tests"
		}
		out[i] = strings.Join(methods.Names[why], ", ") + ": " + why + " " + of + "."
	}
	return out
}

// comparisons says of tests that compare arms when these were played, and what
// the comparison rests on.
func (s *experimentView) comparisons(b *page.Builder) {
	var lines []string
	for i := range min(len(s.x.Tests), maxTests) {
		if c := s.x.Tests[i].Comparison; c != nil {
			lines = append(lines, page.Label(s.x.Tests[i].ID)+": "+page.Sentence(playedSentence(c))+" "+page.Sentence(page.OrDash(c.Words)))
		}
	}
	if len(lines) > 0 {
		b.Add(page.StrongList("Arms that are compared, when they were played, and whether their means move:", lines)...)
	}
}

// playedSentence says when arms were played, the rounds of each by quarters of the
// log.
func playedSentence(c *schemas.Comparison) string {
	out := make([]string, len(c.Played))
	for i := range c.Played {
		p := &c.Played[i]
		total := int64(0)
		for _, n := range p.Quarters {
			total += n
		}
		if total == 0 {
			out[i] = page.Label(p.Label) + " was never played"
			continue
		}
		shares := make([]string, len(p.Quarters))
		for j, n := range p.Quarters {
			shares[j] = fmt.Sprintf("%.0f", 100*float64(n)/float64(total))
		}
		out[i] = fmt.Sprintf("%s was played in rounds %s to %s (of its rounds, %s %% in the quarters of the log)",
			page.Label(p.Label), page.Group(p.First), page.Group(p.Last), strings.Join(shares, ", "))
	}
	return strings.Join(out, "; ")
}

// subject is what a test asks about: an arm, two arms, or coefficients of a
// regression; small below it how it was selected, and of which fit.
func subject(t *schemas.Test) []page.Span {
	about, how := page.Label(t.Label), ""
	if t.Selector != t.Label {
		how = t.Selector
	}
	switch t.Kind {
	case schemas.TestDifference:
		about, how = page.Label(t.Label)+" − "+page.Label(t.Against), ""
	case schemas.TestCoefficient, schemas.TestJoint:
		about, how = asked(t.Coefficients), fitOf(t)
	default:
		if t.Arm < 0 { // of all arms, or of several
			about = ""
		}
		if how != "" {
			how = page.Label(how)
		}
	}
	if about == "" {
		about, how = how, ""
	}
	out := []page.Span{{Text: about, Break: true}}
	if how != "" {
		out = append(out, page.SmallSpan(how))
	}
	return out
}

// fitOf names the fit whose coefficients are tested.
func fitOf(t *schemas.Test) string {
	if t.Arm < 0 {
		return page.Label(t.Regression) + ", all arms"
	}
	name := page.Label(t.Regression) + ", arm " + page.Label(t.Label)
	if t.Selector != "" && t.Selector != t.Label {
		name += " (" + page.Label(t.Selector) + ")"
	}
	return name
}

// asked names the coefficients of a test, or counts them where the hypothesis
// has to be read for them.
func asked(names []string) string {
	const most = 2
	if len(names) > most {
		return page.Group(int64(len(names))) + " coefficients"
	}
	return page.LabelList(names)
}

// testName names a test and what it is about; the ids of tests of each arm end
// in the label already, and the hypothesis of a joint test names what it is about.
func testName(t *schemas.Test) string {
	about := ""
	switch {
	case t.Kind == schemas.TestDifference:
		about = page.Label(t.Label) + " − " + page.Label(t.Against)
	case t.Kind == schemas.TestJoint:
	case t.Kind == schemas.TestCoefficient && len(t.Coefficients) > 0:
		about = page.Label(t.Coefficients[0])
	case t.Label != "":
		about = page.Label(t.Label)
	}
	if about == "" || t.Label != "" && strings.HasSuffix(t.ID, "/"+t.Label) {
		return page.Label(t.ID)
	}
	return page.Label(t.ID) + " (" + about + ")"
}
