package mechanisms

import (
	"fmt"
	"io"
	"strings"
)

// Machine says when and where a table was made.
type Machine struct{ Date, Class string }

// Table runs every pair and writes the table. Pairs that the protocol's rules
// or package replay refuse stand below it, with the reason.
func Table(w io.Writer, on Machine) error {
	var b, single, refused strings.Builder
	head(&b, on)
	exact := map[string]string{}
	for _, p := range append(Pairs(), Scored()...) {
		row, err := p.Run()
		if err != nil {
			fmt.Fprintf(&refused, "- %s: %s\n", p.Name(), strings.ReplaceAll(err.Error(), "\n", "; "))
			continue
		}
		if p.Counter.Name == "exact" {
			exact[p.Policy.Name] = row.RegretText()
		}
		b.WriteString(row.line(exact[p.Policy.Name]))
		if row.Single > 0 {
			fmt.Fprintf(&single, "- %s: %d of %d runs\n", p.Name(), row.Single, Seeds)
		}
	}
	if single.Len() > 0 {
		b.WriteString("\nPlayed one arm throughout:\n\n" + single.String())
	}
	if refused.Len() > 0 {
		b.WriteString("\nNot run:\n\n" + refused.String())
	}
	entries(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func head(b *strings.Builder, on Machine) {
	fmt.Fprintf(b, `# Every policy on every counter

Written by

    go run ./cmd/banditlab mechanisms -o testdata/reproduce/MECHANISMS.md

on %[1]s; %[2]s.
All but the time follows from the code and its seeds; a test computes some of it
again.

Five arms, %[3]d rounds, %[4]d runs. Policies that read sums play coins with means
0.3, 0.4, 0.45, 0.5 and 0.6. linucb, lints and "uniform, linear world", their
baseline, play arms that pay 1 with probability x'θ, where the context x of five
coordinates lies on the simplex and arm i has 0.8 in coordinate i of θ and 0.2
elsewhere. inverse-gap plays by scores that somebody else makes, here the mean
reward of each arm so far (1 before its first): what they give away has no bound.

- **Definition**: what the pair meets, for the rewards of one round.
- **ε, ρ**: of the declared mechanism, for a whole run of %[3]d rounds, with ε = 1
  for each arm's counter. That of interval is not the declared one, which only
  says how often sums are released. A policy that draws its actions by exact sums
  pays for every draw.
- **Regret**: the mean reward lost against always playing the best arm, ± its
  standard error over runs; beside it what the same policy loses with exact sums.
- **ns**: time of a round, world included, propensities not; median of the runs.

One reward can make what was seen e^ε times as likely: e is 2.7, and an ε of 100
or of 100000 protects nothing in practice. "Pure" then says no more than that ε is
finite, as it is beside exact sums and beside interval.

| policy × counter | definition | ε | ρ | regret | with exact sums | ns |
|---|---|---|---|---|---|---|
`, on.Date, on.Class, Horizon, Seeds)
}

// line is a row of the table.
func (r Row) line(exact string) string {
	if exact == "" {
		exact = "–"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %.0f |\n",
		r.Pair.Name(), r.Definition(), r.EpsilonText(), r.RhoText(), r.RegretText(), exact, r.Nanosecond)
}

// Reproducible is the beginning of the row, which follows from code and seeds.
func (r Row) Reproducible() string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.Pair.Name(), r.Definition(), r.EpsilonText(), r.RhoText(), r.RegretText())
}

// entries says what each policy and each counter is.
func entries(b *strings.Builder) {
	list := func(what string, of []Entry) {
		fmt.Fprintf(b, "\n| %s | declared as | what it is |\n|---|---|---|\n", what)
		for _, e := range of {
			keys := "–"
			if e.Keys != "" {
				keys = "`{" + e.Keys + "}`"
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", e.Name, keys, e.Text)
		}
	}
	var policies []Entry
	seen := map[string]bool{}
	for _, p := range append(Pairs(), Scored()...) {
		if !seen[p.Policy.Name] {
			seen[p.Policy.Name] = true
			policies = append(policies, p.Policy)
		}
	}
	list("policy", policies)
	b.WriteString("\nA bonus stands only beside a counter with noise, which then names the horizon.\n")
	list("counter", Counters())
}
