package dialects

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// Options are what a run is asked for.
type Options struct {
	Logs int            // of each setting
	Only *regexp.Regexp // settings by name, and laws by what is deployed; nil: all
	Said io.Writer      // why something is VIOLATED, and how far the run is
}

// Page runs everything and writes the page.
func Page(w io.Writer, o *Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, title, o.Logs)
	sum, logs := Counts{}, 0
	settings := Settings()
	for i := range settings {
		s := &settings[i]
		if !o.Only.MatchString(s.Name()) {
			continue
		}
		counts, bad, err := s.Count(o.Logs)
		if err != nil {
			return err
		}
		for _, v := range bad {
			fmt.Fprintf(o.Said, "%s, log %d: %s is VIOLATED: %s\n", s.Name(), v.Log, v.Kind, v.Reason)
		}
		fmt.Fprintf(o.Said, "%d of %d: %s\n", i+1, len(settings), s.Line(counts))
		sum.Add(counts)
		logs += o.Logs
		b.WriteString(s.Line(counts) + "\n")
	}
	sums(&b, sum, logs)
	b.WriteString(beside)
	if err := powers(&b, o); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// powers is the second table.
func powers(b *strings.Builder, o *Options) error {
	fmt.Fprintf(b, wrongTitle, WrongLogs)
	all := Wrongs()
	for i := range all {
		if !o.Only.MatchString(all[i].Declared.Name()) {
			continue
		}
		line, err := all[i].Line(Lengths()...)
		if err != nil {
			return err
		}
		fmt.Fprintf(o.Said, "%d of %d: %s\n", i+1, len(all), line)
		b.WriteString(line + "\n")
	}
	return nil
}

// Line is a row of the first table.
func (s *Setting) Line(c Counts) string {
	other, said := 0, map[string]string{schemas.KindConformance: "–", schemas.KindAllocation: "–"}
	for _, kind := range c.kinds() {
		switch kind {
		case schemas.KindConformance, schemas.KindAllocation:
			said[kind] = verdicts(c[kind])
		default:
			other += c[kind][schemas.Violated]
		}
	}
	return s.Start() + fmt.Sprintf("%s | %s | %d |", said[schemas.KindConformance], said[schemas.KindAllocation], other)
}

// Start is the beginning of the row.
func (s *Setting) Start() string {
	return fmt.Sprintf("| %s | %#q | %s | ", s.name, s.policy, s.Evidence)
}

// verdicts are the counts of a claim, VIOLATED first.
func verdicts(of map[schemas.Verdict]int) string {
	out := []string{fmt.Sprintf("**%d**", of[schemas.Violated])}
	for _, v := range others() {
		if of[v] > 0 {
			out = append(out, fmt.Sprintf("%d %s", of[v], v))
		}
	}
	return strings.Join(out, ", ")
}

func others() []schemas.Verdict {
	return []schemas.Verdict{schemas.Verified, schemas.Consistent, schemas.NotEstablished, schemas.NotApplicable, schemas.NotRun}
}

// sums are the verdicts of all settings added up, by claim.
func sums(b *strings.Builder, c Counts, logs int) {
	fmt.Fprintf(b, sumsTitle, logs, Most(logs))
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		if !slices.Contains(c.kinds(), kind) {
			continue
		}
		fmt.Fprintf(b, "| %s | **%d** |", kind, c[kind][schemas.Violated])
		for _, v := range others() {
			fmt.Fprintf(b, " %d |", c[kind][v])
		}
		b.WriteString("\n")
	}
}

const title = `# Policies as libraries and platforms run them

Written by

    go run ./cmd/banditlab dialects -o testdata/reproduce/DIALECTS.md

What is counted follows from the code and its seeds; a test computes some of it again.

## Honest logs

%[1]d logs of each setting, written by a second implementation of each dialect that shares
nothing with the tool's own: 2 to 10 arms that are alike in one log of four, and 300 to 2,000
rounds (at most 5 arms where the logged propensities are integrals, and then at most 900
rounds, or where contexts are read); rewards of 0 and 1, or, in every second log where the
policy takes them, real ones of the range [0, 1], [−1, 3] or [0, 200]. An audit is told what
was deployed, in the words of a protocol, and what the log holds. Of each claim stands how
many logs are **VIOLATED**, which is never right, and the other verdicts. The chance that an
honest log is VIOLATED is promised to be .001 at most, for each claim.
` + "`<K>` is the number of arms, `<T>` that of rounds, `<odds>` stands for odds and `<backwards>`\nfor the arms the other way round" + `.

| deployed | declared | log holds | policy.conformance | allocation.matches_propensity | other claims VIOLATED |
|---|---|---|---|---|---|
`

const sumsTitle = `
In all %d logs. A claim may be VIOLATED in %d of them: at the rate of .001 that is promised,
more come once in 900 such sums.

| claim | VIOLATED | VERIFIED | CONSISTENT | NOT ESTABLISHED | NOT APPLICABLE | NOT RUN |
|---|---|---|---|---|---|---|
`

const beside = `
Not here: UCB1-tuned, KL-UCB, UCB-V and MOSS, which no protocol can declare but as a program
(` + "`policy.exec`" + `); to be added as settings: ` + "`policy.by`, `update: {version}` and updates by time, `inverse-gap`, sampled logs (`keep_prob`)" + `.
`

const wrongTitle = `
## Laws that are declared wrongly

Logs of actions and rewards alone, without seed and propensities, of a policy that has
another law than is declared: three arms that pay 0 or 1 with means .3, .5 and .55, %d logs of
each length. How many are VIOLATED (policy.conformance), and in brackets the deviation of an
arm's probability, on average over the rounds, that the audit says it finds in four of five
logs (the median). What differs by less, or in few rounds, passes, and the audit says so.

| declared | deployed | 500 rounds | 2,000 | 10,000 |
|---|---|---|---|---|
`
