package report

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// comparisons says of tests that compare arms when these were played, and what
// the comparison rests on.
func (s *study) comparisons(b *builder) {
	var lines []string
	for i := range s.x.Tests {
		if i == maxTests {
			break
		}
		if c := s.x.Tests[i].Comparison; c != nil {
			lines = append(lines, label(s.x.Tests[i].ID)+": "+sentence(playedSentence(c))+" "+sentence(words(c.Words)))
		}
	}
	if len(lines) > 0 {
		b.add(para{Spans: []span{{Text: "Arms that are compared, when they were played, and whether their means move:", Style: styleStrong}}}, list{Items: items(lines...)})
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
			out[i] = label(p.Label) + " was never played"
			continue
		}
		shares := make([]string, len(p.Quarters))
		for j, n := range p.Quarters {
			shares[j] = fmt.Sprintf("%.0f", 100*float64(n)/float64(total))
		}
		out[i] = fmt.Sprintf("%s was played in rounds %s to %s (of its rounds, %s %% in the quarters of the log)",
			label(p.Label), group(p.First), group(p.Last), strings.Join(shares, ", "))
	}
	return strings.Join(out, "; ")
}

// validIf is what a corrected answer needs that compares arms; "" where it
// needs nothing beside A1–A8 that was not declared.
func validIf(t *schemas.Test) string {
	if t.Comparison != nil {
		return t.Comparison.ValidIf
	}
	return ""
}
