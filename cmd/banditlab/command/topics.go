package command

import (
	"embed"
	"fmt"
	"strings"

	"banditaudit/cmd/kit"
)

// topicFiles hold the manual, one topic a file.
//
//go:embed topics/*.md
var topicFiles embed.FS

// topics are the pages of the manual, in the order in which they are listed. after says what
// the catalogue adds to the page.
func topics(known *catalogue) []kit.Topic {
	topic := func(name, about string, after func(*catalogue) string) kit.Topic {
		return kit.Topic{Name: name, About: about, Page: func() string {
			page, err := topicFiles.ReadFile("topics/" + name + ".md")
			if err != nil {
				panic(err) // a topic without its file does not pass the tests
			}
			return string(page) + after(known)
		}}
	}
	nothing := func(*catalogue) string { return "" }
	return []kit.Topic{
		topic("simulate", "a log with known truth: worlds, policies, faults", simulateHelp),
		topic("plan", "before an experiment: ε, bias, power, regret", nothing),
		topic("reproduce", "the experiments of Neel and Roth (2018) again", nothing),
		topic("counts", "the pages that banditaudit's promises were counted on", nothing),
	}
}

// items writes a list.
func items(b *strings.Builder, texts ...string) {
	for _, text := range texts {
		b.WriteString("- " + text + "\n")
	}
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
