package explain

import (
	"maps"
	"slices"
	"strings"

	"banditaudit/report"
	"banditaudit/report/glossary"
	"banditaudit/report/sources"
	"banditaudit/schemas/param"
)

func claims(k *Known) ([]Entry, error) {
	var out []Entry
	for i := range k.Format.Claims {
		c := &k.Format.Claims[i]
		e := Entry{Name: c.Kind, About: c.Asks, Manual: paragraphs(k.Page("verdicts"), c.Kind), See: []string{"topic:verdicts"}}
		e.fact("keys that go with it", strings.Join(c.Keys, ", "))
		var needs []string
		for _, need := range c.Needs {
			needs = append(needs, string(need))
		}
		e.fact("needs to be declared", strings.Join(needs, ", "))
		e.fact("this version has it", yes(c.Unsupported, "no", ""))
		for _, u := range c.Unseen {
			e.Facts = append(e.Facts, Fact{strings.TrimSuffix("would pass unseen, "+u.By, ", "), slices.Concat(u.Words, u.Drawn)})
		}
		if c.Broken != "" {
			e.Changes = "It is VIOLATED where " + c.Broken + "."
		}
		out = append(out, e)
	}
	return out, nil
}

func checks(k *Known) ([]Entry, error) {
	var out []Entry
	for _, c := range k.Checks {
		e := Entry{Name: c.ID, About: asked(c.Doc, c.Title), See: []string{"topic:verdicts"}}
		e.fact("title", c.Title)
		e.fact("expected", c.Expected)
		e.fact("data.quality stands on it", yes(c.Quality, "yes", "no"))
		out = append(out, e)
	}
	return out, nil
}

func tests(k *Known) ([]Entry, error) {
	var out []Entry
	for _, t := range k.Format.Tests {
		e := Entry{Name: t.Name, About: "a raw test, by analysis.tests.test", Manual: itemsOf(section(k.Page("tests"), "Raw tests"), t.Name), See: []string{"topic:tests"}}
		e.fact("of a mean", yes(t.OfMean, "yes", "no"))
		e.fact("of a difference", yes(t.OfDifference, "yes", "no"))
		e.fact("for rewards of 0 and 1 alone", yes(t.Binary, "yes", ""))
		e.fact("needs", yes(t.Sigma, "sigma", ""))
		if t.Approximate {
			e.Changes = "Its p holds for many rounds only: it decides with analysis.approximate: accept."
		}
		out = append(out, e)
	}
	return out, nil
}

// asked is a question with its mark; the title of what asks none.
func asked(question, title string) string {
	if question == "" {
		return title
	}
	return question + "?"
}

// methods are what decides tests, and what else answers and estimates come from, as far
// as it is said how they are made.
func methods(k *Known) ([]Entry, error) {
	var out []Entry
	page := k.Page("answers")
	for _, m := range k.Format.Methods {
		out = append(out, Entry{Name: m.Name, About: m.About, Manual: parts(section(page, "`"+m.Name+"`")), Changes: "analysis.decide names what decides; by auto the first that applies does.", See: []string{"key:analysis.decide", "topic:answers"}})
	}
	said := sources.MethodWords()
	made, err := k.sources()
	for _, s := range made {
		for _, id := range s.Of {
			if name, ok := strings.CutPrefix(id, "method:"); ok && said[name] == "" {
				said[name] = s.Number
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		if !slices.ContainsFunc(out, func(e Entry) bool { return e.Name == name }) {
			out = append(out, Entry{Name: name, About: said[name], See: []string{"topic:answers"}})
		}
	}
	return out, err
}

func corrections(k *Known) ([]Entry, error) {
	var out []Entry
	for _, c := range k.Format.Corrections {
		e := Entry{Name: c.Name, About: "a way to correct a raw p", Manual: itemsOf(section(k.Page("tests"), "Corrections"), c.Name), See: []string{"topic:tests"}}
		switch {
		case c.Headline:
			e.fact("declared by", "analysis.correction.method")
		case c.Also:
			e.fact("declared by", "analysis.correction.also")
		default:
			e.fact("declared by", "nothing: it stands beside others")
		}
		out = append(out, e)
	}
	return out, nil
}

func policies(k *Known) ([]Entry, error) {
	var out []Entry
	for i := range k.Format.Policies {
		p := &k.Format.Policies[i]
		e := Entry{Name: p.Name, About: p.Doc, Manual: itemsOf(k.Page("policies"), p.Name), See: []string{"topic:policies"}}
		e.fact("reads", [...]string{"no rewards", "sums of rewards", "sums of contexts times rewards"}[p.Reads])
		for _, key := range p.Keys {
			says := key.Doc
			if key.Needed {
				says += "; needed: it " + key.Why
			}
			e.fact("policy."+key.Name, says)
		}
		out = append(out, e)
	}
	return out, nil
}

func counters(k *Known) ([]Entry, error) {
	var out []Entry
	for _, c := range k.Format.Counters {
		e := Entry{Name: c.Name, About: c.Doc, Manual: itemsOf(k.Page("counters"), c.Name), See: []string{"topic:counters"}}
		e.fact("adds noise", yes(c.Noise, "yes", "no"))
		e.fact("counter.horizon", yes(c.Horizon == param.HorizonNeeded, "needed", ""))
		out = append(out, e)
	}
	return out, nil
}

func libraries(k *Known) ([]Entry, error) {
	var out []Entry
	for _, l := range k.Format.Likes {
		e := Entry{Name: l.Name, About: l.Doc, See: []string{"key:policy.like", "topic:libraries"}}
		e.fact("fills in", l.Keys)
		e.fact("beside it", l.Beside)
		out = append(out, e)
	}
	return out, nil
}

func verdicts(*Known) ([]Entry, error) {
	var out []Entry
	for _, w := range report.Verdicts() {
		out = append(out, Entry{Name: w[0], About: w[1], See: []string{"topic:verdicts"}})
	}
	return out, nil
}

func assumptions(k *Known) ([]Entry, error) {
	var out []Entry
	for i := range k.Assumptions {
		a := &k.Assumptions[i]
		e := Entry{Name: a.ID, About: a.Text, See: []string{"method:corrected", "topic:guarantees"}}
		e.fact("checked by", a.CheckedBy)
		out = append(out, e)
	}
	return out, nil
}

func words(*Known) ([]Entry, error) {
	var out []Entry
	for _, w := range glossary.Words() {
		e := Entry{Name: w.Word, About: w.Says, See: w.See, forms: w.Forms}
		if w.Formula != "" || w.Source != "" {
			e.Made = []Made{{How: w.Formula, After: w.Source}}
		}
		out = append(out, e)
	}
	return out, nil
}

// fact adds a value that there is.
func (e *Entry) fact(name, value string) {
	if value != "" {
		e.Facts = append(e.Facts, Fact{name, value})
	}
}

func yes(is bool, then, otherwise string) string {
	if is {
		return then
	}
	return otherwise
}
