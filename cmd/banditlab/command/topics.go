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

// topics are the pages of the manual, in the order in which they are listed.
func topics(known *catalogue) []kit.Topic {
	return []kit.Topic{
		kit.NewTopic(topicFiles, "simulate", "a log with known truth: worlds, policies, faults", func() string { return simulateHelp(known) }),
		kit.NewTopic(topicFiles, "plan", "before an experiment: ε, bias, power, regret", nil),
		kit.NewTopic(topicFiles, "reproduce", "the experiments of Neel and Roth (2018) again", nil),
		kit.NewTopic(topicFiles, "counts", "the pages that banditaudit's promises were counted on", nil),
	}
}

// simulateHelp lists what can be simulated.
func simulateHelp(known *catalogue) string {
	var b strings.Builder
	format := known.Format()
	b.WriteString("\n## Policies and counters\n\n")
	kit.Items(&b, "Policies: "+strings.Join(format.PolicyNames(), ", ")+".", "Counters: "+strings.Join(format.CounterNames(), ", ")+".")
	b.WriteString("\n## Worlds, and what each takes\n\n")
	for _, w := range known.worlds.Worlds {
		takes := w.Takes
		if w.Contexts {
			takes = append(takes, "context-dim")
		}
		kit.Items(&b, fmt.Sprintf("%s: --%s. %s", w.Name, strings.Join(takes, " --"), w.Doc))
	}
	b.WriteString("\n## Faults, of which --fault takes some\n\n")
	for _, f := range known.worlds.Faults {
		kit.Items(&b, f.Name+": "+f.Doc)
	}
	return b.String()
}
