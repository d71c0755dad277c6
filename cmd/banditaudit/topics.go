package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"banditaudit/cmd/kit"
	"banditaudit/report/glossary"
)

// topicFiles hold the manual, one topic a file.
//
//go:embed topics/*.md
var topicFiles embed.FS

// allTopics are the topics in the order in which they are listed. A new one is its
// file and its line; after says what the catalogue adds to the page.
func allTopics(known *catalogue) []kit.Topic {
	topic := func(name, about string, after func(*catalogue) string, aliases ...kit.Alias) kit.Topic {
		more := func() string { return after(known) }
		if after == nil {
			more = nil
		}
		t := kit.NewTopic(topicFiles, name, about, more)
		t.Aliases = aliases
		return t
	}
	return []kit.Topic{
		topic("recipes", "eleven questions: the protocol to copy, the command, how to read the answer", nil),
		topic("log", "what LOG is, and what its columns can hold", nil),
		topic("protocol", "the file that declares an experiment and asks of it", nil),
		topic("policies", "what chose the actions: names, dialects, floors, draws of units", nil),
		topic("libraries", "policies of libraries, by policy.like", libraryHelp),
		topic("counters", "what a private policy saw, and the noise in it", nil),
		topic("tests", "hypotheses, corrections, regressions", nil),
		topic("answers", "which method decides a test; weighted estimates; other policies", nil, kit.Alias{Name: "methods"}),
		topic("replay", "is the log what the declared policy would have written", nil,
			kit.Alias{Name: "conformance"}, kit.Alias{Name: "program", Section: "A program as the policy"}, kit.Alias{Name: "programs", Section: "A program as the policy"}),
		topic("reading", "the summary, the files, DuckDB, pandas, dbt, jq, cautions", nil),
		topic("parts", "one audit on several machines: audit --part and --log, census, merge", nil),
		topic("guarantees", "what is promised, and what not", nil, kit.Alias{Name: "limits"}),
		topic("verdicts", "claims, what each verdict means and needs, what passes unseen", unseenHelp, kit.Alias{Name: "claims"}),
		topic("glossary", "the words of reports and of this help, each in a sentence", glossaryHelp),
		topic("exit-codes", "for a scheduler", nil),
		topic("environment", "variables, and their precedence", nil),
	}
}

// glossaryHelp lists the words.
func glossaryHelp(*catalogue) string {
	var b strings.Builder
	for _, w := range glossary.Words() {
		kit.Items(&b, "**"+w.Word+"**: "+w.Says)
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
			kit.Items(&b, slices.Concat(u.Words, u.Drawn)...)
		}
	}
	return b.String()
}

// libraryHelp lists the policies of libraries that policy.like knows.
func libraryHelp(known *catalogue) string {
	var b strings.Builder
	for _, l := range known.Format().Likes {
		fmt.Fprintf(&b, "\n%s:\n\n", l.Name)
		kit.Items(&b, l.Doc, "fills in "+l.Keys)
		if l.Beside != "" {
			kit.Items(&b, "beside it "+l.Beside)
		}
	}
	return b.String()
}
