package answers

import (
	"fmt"
	"strings"
)

// Book is the file ANSWERS.json: what was counted of every setting.
type Book struct {
	Settings []Counted `json:"settings"`
	Times    *Times    `json:"times,omitempty"` // nil: they were not measured
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

// kind is a question that is put to every log.
type kind struct{ id, words string }

func kinds() []kind {
	return []kind{
		{"D", "the last arm pays what the first pays"},
		{"E", "all arms pay alike in every round"},
		{"M", "the first arm pays its mean"},
		{"S", "the arm that was played most pays the mean that all arms have"},
		{kindValue, "estimates of what the first arm would have paid in all rounds"},
		{kindContrast, "estimates of what the last arm would have paid more than the first in all rounds"},
		{kindUniform, "estimates of what uniform play would have earned in all rounds"},
		{kindLast, "estimates of what the last arm alone would have earned in all rounds"},
	}
}

const head = `# Answers for logs that were not gathered privately

What each method answers to logs of policies that are not declared, but where the table
says so, with the propensities of all arms logged where the policy draws (UCB1 and LinUCB
log none). Written by

    go run ./cmd/banditlab answers -o testdata/reproduce/ANSWERS.md

from what was counted, which is kept in ANSWERS.json beside it.

Every test is at level .05 by itself. *Alike* are worlds where all arms pay alike, so
that D, E, M and S are true; in *apart* the last arm pays more, so that D and E are
false and M is true. M and S are counted only where the mean of the arm is the same in
all its rounds: not under drift, nor where contexts or units move it, and S not of the
arm that pays more. Rates are of the logs with an answer, ± twice the Monte Carlo error.
*Out* is the share of 95 % intervals that do not hold the truth. *Above* counts the
settings whose rate alone shows that the chance is more than .05 (a rate that a chance of
.05 gives less than once in 1,000; with some hundred settings in a table, a 1 is no more
than that). What is naive stands beside for comparison.

Logs are *plain* (every round drawn anew, means that stand still, all rewards known, read
once) or have one twist: *drift* moves the mean of all arms alike, by a factor from ½ to
1½; *units* keep one draw, and have a mean of their own; *a fifth missing* are rewards
that are null whatever they are; with *20 looks* the log so far is audited 20 times, and
a test rejects that does so once; *p of the played arm* logs no other; and the *policy*
may be *declared*, so that it can be run again. With *means declared* the protocol says
that means stand still (analysis.means: constant), and they do. With *seed declared* the
policy is declared with its seed, and no propensity is logged: they are recomputed. With
*batches logged* the rounds between two updates are (log.batch), and D is put to
batch-exact too, with bols beside it. With *constant shift* what the last arm pays more is
the same in every round, and D is put to rerun by name. Where propensities are known D is
put to adaptive by name, which answers by aipw-sqrt or aipw. *Decides* leaves out what was
named.

## Over all settings
`

// Page writes the settings that were counted.
func (b *Book) Page(settings []Setting) string {
	var out strings.Builder
	out.WriteString(head)
	out.WriteString(b.summary(settings))
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
			fmt.Fprintf(&out, "\n## %s\n\n*Decides* is the share of logs that the method decides by `decide: auto`.\n\n| rewards | K | rounds | question | method | logs | rejects, alike | rejects, apart | out, alike | out, apart | mean width | decides | counted by |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n", policy)
		}
		for j := range c.Found {
			out.WriteString(s.line(c, &c.Found[j]))
		}
	}
	out.WriteString(b.Times.page())
	if missing > 0 {
		fmt.Fprintf(&out, "\n%d of %d settings are not counted.\n", missing, len(settings))
	}
	return out.String()
}

func (s *Setting) line(c *Counted, y *Tally) string {
	law := s.Law.Name
	if s.Twist.Name != "" {
		law += ", " + s.Twist.Name
	}
	width := "–"
	if n := y.Interval[0] + y.Interval[1]; n > 0 {
		width = fmt.Sprintf("%.3g", (y.Width[0]+y.Width[1])/float64(n))
	}
	return fmt.Sprintf("| %s | %d | %d | %s | %s | %d | %s | %s | %s | %s | %s | %.2f | %s |\n", law, s.Arms, s.Rounds, y.Kind, y.Method, c.Logs,
		rate(y.Rejected[0], y.Asked[0]), rate(y.Rejected[1], y.Asked[1]), rate(y.Missed[0], y.Interval[0]), rate(y.Missed[1], y.Interval[1]),
		width, float64(y.Decided[0]+y.Decided[1])/float64(2*c.Logs), c.Made)
}
