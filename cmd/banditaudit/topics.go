package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/report/glossary"
)

// topicFiles hold the manual, one topic a file.
//
//go:embed topics/*.md
var topicFiles embed.FS

// topic is a page of the manual: topics/NAME.md, and what the catalogue adds to it.
type topic struct {
	name, about string
	after       func(*catalogue) string // nil: nothing
}

// allTopics are the topics in the order in which they are listed. A new one is its
// file and its line.
func allTopics() []topic {
	return []topic{
		{"log", "what LOG is, and what its columns can hold", nil},
		{"protocol", "the file that declares an experiment and asks of it", nil},
		{"policies", "what chose the actions: names, dialects, floors, draws of units", nil},
		{"libraries", "policies of libraries, by policy.like", libraryHelp},
		{"counters", "what a private policy saw, and the noise in it", nil},
		{"tests", "hypotheses, corrections, regressions", nil},
		{"answers", "which method decides a test; weighted estimates; other policies", nil},
		{"replay", "is the log what the declared policy would have written", nil},
		{"reading", "the summary, the files, DuckDB, pandas, dbt, jq, cautions", nil},
		{"parts", "one audit on several machines: audit --part and --log, census, merge", nil},
		{"guarantees", "what is promised, and what not", nil},
		{"verdicts", "claims, what each verdict means and needs, what passes unseen", unseenHelp},
		{"glossary", "the words of reports and of this help, each in a sentence", glossaryHelp},
		{"exit-codes", "for a scheduler", nil},
		{"environment", "variables, and their precedence", nil},
		{"plan", "before an experiment: ε, bias, power, regret", nil},
		{"simulate", "a log with known truth: worlds, policies, faults", simulateHelp},
		{"reproduce", "the experiments of Neel and Roth (2018) again", nil},
	}
}

func topicNames() []string {
	var names []string
	for _, t := range allTopics() {
		names = append(names, t.name)
	}
	return names
}

// topicOf is the topic with a name; nil where there is none.
func topicOf(name string) *topic {
	all := allTopics()
	if i := slices.IndexFunc(all, func(t topic) bool { return t.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// text is the page, and what the catalogue adds to it, in lines of a width.
func (t *topic) text(known *catalogue, width int) string {
	page, err := topicFiles.ReadFile("topics/" + t.name + ".md")
	if err != nil {
		panic(err) // a topic without its file does not pass the tests
	}
	text := string(page)
	if t.after != nil {
		text += t.after(known)
	}
	return terminal.Reflow(text, width)
}

// items writes a list.
func items(b *strings.Builder, texts ...string) {
	for _, text := range texts {
		b.WriteString("- " + text + "\n")
	}
}

// glossaryHelp lists the words.
func glossaryHelp(*catalogue) string {
	var b strings.Builder
	for _, w := range glossary.Words() {
		items(&b, "**"+w.Word+"**: "+w.Says)
		if w.Formula != "" {
			b.WriteString("  Formula: " + w.Formula + ".\n")
		}
		if w.Source != "" {
			b.WriteString("  Source: " + w.Source + ".\n")
		}
	}
	return b.String()
}

// unseenHelp says of every kind of claim what would pass it unseen, by the evidence
// for it.
func unseenHelp(known *catalogue) string {
	var b strings.Builder
	b.WriteString("\n## What would pass unseen, by claim and by the evidence for it\n")
	for _, claim := range known.Format().Claims {
		for _, u := range claim.Unseen {
			fmt.Fprintf(&b, "\n%s:\n\n", strings.TrimSuffix(claim.Kind+", "+u.By, ", "))
			items(&b, slices.Concat(u.Words, u.Drawn)...)
		}
	}
	return b.String()
}

// libraryHelp lists the policies of libraries that policy.like knows.
func libraryHelp(known *catalogue) string {
	var b strings.Builder
	for _, l := range known.Format().Likes {
		fmt.Fprintf(&b, "\n%s:\n\n", l.Name)
		items(&b, l.Doc, "fills in "+l.Keys)
		if l.Beside != "" {
			items(&b, "beside it "+l.Beside)
		}
	}
	return b.String()
}

// simulateHelp lists what can be simulated.
func simulateHelp(known *catalogue) string {
	var b strings.Builder
	format := known.Format()
	b.WriteString("\n## Policies and counters\n\n")
	items(&b, "Policies: "+strings.Join(format.PolicyNames(), ", ")+".", "Counters: "+strings.Join(format.CounterNames(), ", ")+".")
	b.WriteString("\n## Worlds, and what each takes\n\n")
	for _, w := range known.worlds.Worlds {
		takes := w.Takes
		if w.Contexts {
			takes = append(takes, "context-dim")
		}
		items(&b, fmt.Sprintf("%s: --%s. %s", w.Name, strings.Join(takes, " --"), w.Doc))
	}
	b.WriteString("\n## Faults, of which --fault takes some\n\n")
	for _, f := range known.worlds.Faults {
		items(&b, f.Name+": "+f.Doc)
	}
	return b.String()
}
