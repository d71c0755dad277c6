package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/replay/world"
	"banditaudit/schemas"
)

// parseFaults reads a list of faults; nil where there is none. What cannot be
// said of them without the mechanism is the specification's to judge.
func parseFaults(c *cli.Context) ([]string, error) {
	text := c.String("fault")
	if text == "" && c.IsSet("fault") {
		return nil, usagef("--fault is empty; write a list such as half-scale,redraw, or leave it out")
	}
	if text == "" {
		return nil, nil
	}
	list := strings.Split(text, ",")
	for i, name := range list {
		if list[i] = strings.TrimSpace(name); list[i] == "" {
			return nil, usagef("--fault is %s, and a name is missing beside a comma; write a list such as half-scale,redraw", schemas.Quoted(text))
		}
	}
	return list, nil
}

// faultHelp lists the faults that a simulated deployment can have.
func faultHelp(worlds *world.Catalogue) string {
	var b strings.Builder
	b.WriteString(`

Faults, of which --fault takes some: the bandit that writes the log is then not the one that the protocol declares,
and truth.json says in what.
`)
	for _, f := range worlds.Faults {
		fmt.Fprintf(&b, "  %-19s %s\n", f.Name, f.Doc)
	}
	b.WriteString(`Noise is drawn from the counters' own streams. What the policy saw, and the propensities of all arms, are in the
log with --log released,propensities. With propensity-stale and propensity-swapped the p that is logged of a played
arm can be 0 where the policy leaves arms out; an audit refuses such a log, exit 4, as it does ln p.`)
	return b.String()
}
