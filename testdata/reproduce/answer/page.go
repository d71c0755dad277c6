package answer

import (
	"fmt"
	"strings"
)

// Book is the file ANSWERS.json: what was counted of every setting.
type Book struct {
	Settings []Counted `json:"settings"`
}

// Of is what was counted of a setting, nil where nothing was.
func (b *Book) Of(s *Setting) *Counted {
	for i := range b.Settings {
		if b.Settings[i].ID == s.ID() {
			return &b.Settings[i]
		}
	}
	return nil
}

// Put takes up a setting, in place of what was counted of it before.
func (b *Book) Put(c *Counted) {
	for i := range b.Settings {
		if b.Settings[i].ID == c.ID {
			b.Settings[i] = *c
			return
		}
	}
	b.Settings = append(b.Settings, *c)
}

const head = `# Answers for logs that were not gathered privately

What each method answers where no policy is declared and the propensities of all arms
are logged where the policy draws (UCB1 logs none). Written by

    go run ./testdata/reproduce/answers -o testdata/reproduce/ANSWERS.md

from what was counted, which is kept in ANSWERS.json beside it.

Every test at level .05 by itself. D: the last arm pays what the first pays. E: all arms
pay alike. M: the first arm pays its mean. *Alike* are worlds where all arms pay alike,
so that D, E and M are true; in *apart* the last arm pays more, so that D and E are false
and M is true. Rates are of the logs with an answer, ± twice the Monte Carlo error; *out*
is the share of 95 % intervals that do not hold the truth, *decides* the share of logs
that the method decides by ` + "`decide: auto`" + `. What is naive stands beside for comparison.
`

// Page writes the settings that were counted.
func (b *Book) Page(settings []Setting) string {
	var out strings.Builder
	out.WriteString(head)
	missing := 0
	policy := ""
	for i := range settings {
		s := &settings[i]
		c := b.Of(s)
		if c == nil {
			missing++
			continue
		}
		if s.Policy.Name != policy {
			policy = s.Policy.Name
			fmt.Fprintf(&out, "\n## %s\n\n| rewards | K | rounds | test | method | logs | rejects, alike | rejects, apart | out, alike | out, apart | mean width | decides | counted by |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n", policy)
		}
		for j := range c.Found {
			out.WriteString(s.line(c, &c.Found[j]))
		}
	}
	if missing > 0 {
		fmt.Fprintf(&out, "\n%d of %d settings are not counted.\n", missing, len(settings))
	}
	return out.String()
}

func (s *Setting) line(c *Counted, y *Tally) string {
	law := s.Law.Name
	if s.Drift {
		law += ", drift"
	}
	width := "–"
	if n := y.Interval[0] + y.Interval[1]; n > 0 {
		width = fmt.Sprintf("%.3g", (y.Width[0]+y.Width[1])/float64(n))
	}
	return fmt.Sprintf("| %s | %d | %d | %s | %s | %d | %s | %s | %s | %s | %s | %.2f | %s |\n", law, s.Arms, s.Rounds, y.Kind, y.Method, c.Logs,
		rate(y.Rejected[0], y.Applied[0]), rate(y.Rejected[1], y.Applied[1]), rate(y.Missed[0], y.Interval[0]), rate(y.Missed[1], y.Interval[1]),
		width, float64(y.Decided[0]+y.Decided[1])/float64(2*c.Logs), c.Made)
}
