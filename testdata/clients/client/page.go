package client

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Line of the page: a log, and what an audit says of it as it is and tampered with.
type Line struct {
	Case     *Case
	Honest   *Found
	Tampered []*Found // by Tamperings; nil where it cannot be done
}

// Lines audits every log, two at once.
func (a *Auditor) Lines(ctx context.Context, cases []Case, done func(*Line)) ([]Line, error) {
	out := make([]Line, len(cases))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	var one sync.Mutex
	for i := range cases {
		group.Go(func() error {
			line, err := a.line(ctx, &cases[i])
			if err != nil {
				return err
			}
			one.Lock()
			defer one.Unlock()
			out[i] = *line
			done(line)
			return nil
		})
	}
	return out, group.Wait()
}

func (a *Auditor) line(ctx context.Context, c *Case) (*Line, error) {
	out := &Line{Case: c}
	var err error
	if out.Honest, err = a.Audit(ctx, c, "honest"); err != nil {
		return nil, err
	}
	for _, t := range Tamperings() {
		var found *Found
		if t.Fits(c) {
			if found, err = a.Audit(ctx, t.Of(c), t.Name); err != nil {
				return nil, err
			}
		}
		out.Tampered = append(out.Tampered, found)
	}
	return out, nil
}

const head = `# What audits say of logs that libraries write

Every log is that of a library's own policy, run as its documentation runs it, on arms that
pay 0 or 1 with means .30, .50, .55 over 1,000 rounds. Beside what the audit says of the log
as it is stands what it says when ten of its rounds are tampered with: the action replaced
by the next arm (with that arm's propensity), propensities exchanged, rewards turned. Written
by

    bash testdata/clients/run.sh

which installs the libraries from PyPI, at the versions below. A library that does not
install is named at the end. Two policies are not what their name says, and are convicted
where they are declared by it: SMPyBandits' ε-greedy plays the arm of the largest sum and
never explores the last arm; in MABWiser's LinTS every arm draws by a copy of one generator,
so that all arms get the same normal numbers. Run as programs both are VERIFIED.

What is not seen has its reason below. Where no policy is declared, only the propensities
are held against the actions: ten rounds of a thousand are within chance, and rewards prove
nothing. Where a policy draws and neither its seed nor its propensities are logged, its law
is held against the actions: what is smaller than the deviation that the reason names passes.

`

// Page is the page of the lines, and of libraries that did not install.
func Page(lines []Line, missing []string) string {
	var out strings.Builder
	out.WriteString(head)
	out.WriteString("| log | policy | as it is |")
	for _, t := range Tamperings() {
		out.WriteString(" " + t.Name + " |")
	}
	out.WriteString("\n|---|---|---|---|---|---|\n")
	for i := range lines {
		out.WriteString(lines[i].row() + "\n")
	}
	out.WriteString("\n## Why\n\nThe reasons of the audits as they are, and of those that do not see what was done.\n\n")
	for i := range lines {
		lines[i].reasons(&out)
	}
	if len(missing) > 0 {
		out.WriteString("\n## Not installed\n\n- " + strings.Join(missing, "\n- ") + "\n")
	}
	return out.String()
}

// row is the line in the table.
func (l *Line) row() string {
	out := l.begins()
	for _, f := range l.Tampered {
		out += " " + seen(f) + " |"
	}
	return out
}

// begins is the row as far as the log is as it is.
func (l *Line) begins() string {
	return fmt.Sprintf("| %s | %s | %s |", l.Case.Name, l.Case.Says, l.Honest.Words())
}

func seen(f *Found) string {
	switch {
	case f == nil:
		return "none logged"
	case f.Violated():
		return "VIOLATED"
	case f.Refused:
		return "refused"
	}
	return "not seen"
}

// reasons lists why the audit says what it says, and why it does not see what was done.
func (l *Line) reasons(out *strings.Builder) {
	fmt.Fprintf(out, "- **%s**: %s\n", l.Case.Name, l.Honest.Why)
	var unseen []string
	why := ""
	for i, t := range Tamperings() {
		if f := l.Tampered[i]; f != nil && !f.Violated() && !f.Refused && !l.Honest.Violated() {
			unseen, why = append(unseen, t.Name), f.Why
		}
	}
	if len(unseen) > 0 {
		fmt.Fprintf(out, "  - not seen: %s. %s\n", strings.Join(unseen, ", "), why)
	}
}
