// Package protocolinit writes the protocol with which init begins: what a log shows as values,
// what only the experimenter knows as comments.
//
// # Add a platform
//
// A platform that init tells by its columns is a line of platforms (platforms.go): the names that
// tell it, what they are for, and the lines of a protocol. Its columns stand in TestPlatforms.
package protocolinit

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/ingest/guess"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// starter prints a draft as a protocol in YAML. Guesses are values; what nobody
// but the experimenter knows is a comment.
type starter struct {
	b     strings.Builder
	draft *guess.Draft
	known *schemas.Catalogue
}

// Print prints the protocol that a draft suggests. The text is always
// YAML of the protocol's format; it is valid as soon as the lines marked DECIDE
// that a protocol cannot be without are written out.
func Print(w io.Writer, known *schemas.Catalogue, d *guess.Draft, name string, args []string) error {
	s := &starter{draft: d, known: known}
	s.head(args)
	s.experiment(name)
	s.log()
	s.arms()
	s.reward()
	s.platform()
	s.mechanism()
	s.rest()
	_, err := io.WriteString(w, s.b.String())
	return err
}

func (s *starter) line(format string, args ...any) { fmt.Fprintf(&s.b, format+"\n", args...) }

// Columns of the text: where comments begin, and where a line ends that has
// one beside it.
const (
	beside   = 34
	lineEnds = 110
)

// entry writes a key with its value, and what speaks for it beside it; above it
// where the line would be too long.
func (s *starter) entry(indent int, text, value, comment string) {
	text = strings.Repeat(" ", indent) + text
	if value != "" {
		text += " " + value
	}
	width := utf8.RuneCountInString(text)
	switch {
	case comment == "":
		s.line("%s", text)
	case max(width, beside)+utf8.RuneCountInString(comment) > lineEnds:
		s.comment(indent, comment)
		s.line("%s", text)
	default:
		s.line("%s%s # %s", text, strings.Repeat(" ", max(0, beside-width)), comment)
	}
}

// comment writes lines of comment, broken between words.
func (s *starter) comment(indent int, text string) {
	margin := strings.Repeat(" ", indent) + "#"
	line := margin
	for word := range strings.FieldsSeq(text) {
		if line != margin && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > lineEnds {
			s.line("%s", line)
			line = margin
		}
		line += " " + word
	}
	s.line("%s", line)
}

// maxShownArgs bounds the arguments that the first line names.
const maxShownArgs = 3

func (s *starter) head(args []string) {
	d := s.draft
	looked := fmt.Sprintf("%d of them were looked at", d.Sampled)
	if d.Complete {
		looked = "all of them were looked at"
	}
	var shown []string
	for i, arg := range args {
		if i == maxShownArgs {
			shown = append(shown, "…")
			break
		}
		shown = append(shown, schemas.Printable(arg))
	}
	s.line("# A start for a protocol, from %s: %s, %s; %s.", strings.Join(shown, " "), terminal.Count(d.Files, "file"), terminal.Count(d.Rows, "row"), looked)
	s.line("# Values are guesses, with what speaks for them: check each. Lines marked DECIDE are")
	s.line("# for you: no log can tell. Then: banditaudit validate -p protocol.yaml LOG...")
	s.line("version: 1")
}

// role returns the first column with a role; nil where there is none.
func (s *starter) role(name string) *guess.DraftColumn {
	for i := range s.draft.Columns {
		if s.draft.Columns[i].Role == name {
			return &s.draft.Columns[i]
		}
	}
	return nil
}

// because says how sure a guess is, of what type, and why.
func because(c *guess.DraftColumn) string {
	text := string(c.Confidence) + ": " + c.Type
	if c.Why != "" {
		text += "; " + c.Why
	}
	return text
}

func (s *starter) experiment(name string) {
	s.line("experiment:")
	if c := s.role(schemas.KeyExperiment); c != nil {
		s.entry(2, "column:", yamlText(c.Column), because(c))
	} else {
		s.entry(2, "id:", yamlText(name), "a name of your choice, but with policy.seed that of the run; {column: NAME} where one log holds many experiments")
	}
	s.entry(2, "# stopping: fixed", "", "DECIDE: fixed (the end was set in advance) | rule-on-released | unknown (the default; then there is no corrected p-value)")
}

// maxStarterArms bounds the arms that are written out.
const maxStarterArms = 200

func (s *starter) arms() {
	d := s.draft
	lists := s.byArm()
	labels := "# arms: " + yamlLabels(d.Arms)
	switch {
	case len(d.Arms) == 0 || len(d.Arms) > maxStarterArms:
		labels = "# arms: [LABEL, LABEL]"
		if lists == "" {
			s.entry(0, labels, "", "DECIDE: all arms, in the policy's order; absent, those in the log are taken")
			return
		}
		s.entry(0, labels, "", "DECIDE: all arms, in the order of the lists in "+lists+", which are not read without it")
	case s.told() && d.Complete:
		s.entry(0, "arms: "+yamlLabels(d.Arms), "", schemas.Printable(d.ArmOrder.Why))
	case s.told():
		s.entry(0, labels, "", "DECIDE: those of the sample, "+schemas.Printable(d.ArmOrder.Why)+". Check that the policy's order is this one")
	case lists != "":
		s.entry(0, labels, "", "DECIDE: all arms, in the order of the lists in "+lists+", which no log can tell; sorted here. Then write out the key of the lists")
	case d.Complete:
		s.entry(0, "arms: "+yamlLabels(d.Arms), "", "all labels in the log; add arms that were never played; with policy.seed in the order of the run")
	default:
		s.entry(0, labels, "", "DECIDE: those of the sample. Name all, in the policy's order; absent, those in the log are taken")
	}
}

// byArm names the columns of lists that are read in the order of arms.
func (s *starter) byArm() string {
	var names []string
	for i := range s.draft.Columns {
		if c := &s.draft.Columns[i]; c.ByArm {
			names = append(names, schemas.Printable(c.Column))
		}
	}
	return strings.Join(names, " and ")
}

// reward writes the range only where it follows from the type.
func (s *starter) reward() {
	s.line("reward:")
	r := &s.draft.Reward
	if r.Boolean {
		s.entry(2, "range: [0, 1]", "", "follows from the type, whatever the log holds: "+r.Suspicion)
		return
	}
	text := "[LO, HI]"
	if r.Unit {
		text = "[0, 1]"
	}
	why := "DECIDE: the range that was agreed before the experiment"
	if r.Suspicion != "" {
		why += " (" + r.Suspicion + ")"
	}
	s.entry(2, "# range: "+text, "", why+". It is public, bounds the bias, and may not be read off the data.")
	s.entry(2, "# out_of_range: error", "", "error | clip (only if the mechanism clipped rewards before it used them)")
}

// mechanism writes what only the experimenter knows.
func (s *starter) mechanism() {
	s.line(fmt.Sprintf(`# policy: {name: ucb, width: {delta: 0.05}, bonus: none, ties: first, seed: {file: seed.hex}}   # DECIDE: what chose the actions
#   name: %s; update: batch | {every: n} | {version: COLUMN} | {every: 1h, clock: COLUMN, attribution: 6h}; draw: {by: round | unit}, where a unit owns several rounds
%s# counter: {name: hybrid, epsilon: 1, horizon: ROUNDS, grid: 2^-20}   # DECIDE: through which counter it saw rewards
#   name: %s
#   the sums that it released, if they were logged in every round: log.released_by_arm
# privacy: {definition: pure, epsilon: 1, unit: round}                # DECIDE: what is claimed; pure | approximate | zcdp; round | user
# Without policy, counter and privacy a test has no corrected p: by decide: auto wagers decide it, which need no privacy (banditaudit help answers).
# analysis:                                                           # DECIDE: what is asked, and when it was chosen
#   chosen: before                 # before | from-actions | after-rewards: what whoever chose the tests had seen
#   means: varying                 # varying | constant: a corrected difference is valid only if each arm's mean is one number in all rounds
#   approximate: accept            # refuse (the default) | accept: may a p that holds for many rounds only decide, as H3 here
#   regressions:                   # descriptive; arms: each | pooled | LABEL; covariance: classical | HC0..HC3 | {cluster: unit}
#     - {name: main, arms: each, covariance: HC3}
#   tests:                         # test: %s
#     - {id: H1, arm: most-pulled, mean: NUMBER}
#     - {id: H2, difference: [LABEL, LABEL], value: 0}
#     - {id: H3, regression: main, arm: LABEL, coefficient: COLUMN, value: 0}`,
		listed(s.known.PolicyNames()), s.strata(), listed(s.known.CounterNames()), listed(s.tests())))
}

// strata is a line on the column of strata; "" where none looks like one.
func (s *starter) strata() string {
	c := s.role(schemas.KeyBy)
	if c == nil {
		return ""
	}
	return "#   by: " + yamlText(c.Column) + "   # DECIDE: has the policy a state of its own for each of its values? " + because(c) + "\n"
}

// listed writes names as what one may choose among.
func listed(names []string) string { return strings.Join(names, " | ") }

// tests lists the tests, with what they need.
func (s *starter) tests() []string {
	out := s.known.TestNames()
	for i, name := range out {
		if needs := needsOf(s.known.Test(name)); len(needs) > 0 {
			out[i] += " (" + strings.Join(needs, "; ") + ")"
		}
	}
	return out
}

// needsOf says which facts have to be known of a test before it is named.
func needsOf(t *param.Test) []string {
	var out []string
	for _, n := range []struct {
		is    bool
		words string
	}{
		{t.Sigma, "with sigma"},
		{!t.OfMean, "of a difference"},
		{t.Constant, "of a difference with means: constant"},
		{t.Approximate, "approximate"},
	} {
		if n.is {
			out = append(out, n.words)
		}
	}
	return out
}

// maxRest bounds the columns without a role that are listed.
const maxRest = 100

// rest lists the columns that have no role.
func (s *starter) rest() {
	rest := slices.DeleteFunc(slices.Clone(s.draft.Columns), func(c guess.DraftColumn) bool { return c.Role != "" })
	if len(rest) == 0 {
		return
	}
	s.line("# Columns without a role:")
	for i := range rest {
		if i == maxRest {
			s.line("#   … and %d more", len(rest)-maxRest)
			return
		}
		s.line("#   %s: %s; %s", schemas.Printable(rest[i].Column), rest[i].Type, rest[i].Why)
	}
}
