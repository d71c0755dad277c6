package main

import (
	"strings"

	"github.com/urfave/cli/v2"

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
