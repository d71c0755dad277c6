package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// blame says what is wrong with a protocol that was made of flags, one line per
// problem, each beginning with the flag that it comes from: whoever gave flags
// has no file to look into. Errors of another kind keep their words.
func blame(err error, st *world.Starter) string {
	if problems, ok := errors.AsType[schemas.Problems](err); ok {
		lines := make([]string, len(problems))
		for i, p := range problems {
			lines[i] = blamed(p, st)
		}
		return strings.Join(lines, "\n")
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, e := range joined.Unwrap() {
			lines = append(lines, blame(e, st))
		}
		return strings.Join(lines, "\n")
	}
	if f, ok := errors.AsType[*replay.Fault](err); ok {
		return blamed(schemas.Problem{Path: f.Path, What: f.Path + " " + f.What, Why: f.Rule, Mend: f.Mend}, st)
	}
	return err.Error()
}

// blamed is one problem without its place in a file.
func blamed(p schemas.Problem, st *world.Starter) string {
	text := p.What
	if p.Why != "" {
		text += " (" + p.Why + ")"
	}
	flag, mend := flagOf(p.Path, st), p.Mend
	if flag != "" {
		text = flag + ": " + text
		if strings.HasPrefix(mend, "delete the key") {
			mend = "leave it out"
		}
	}
	if mend != "" {
		text += "; " + mend
	}
	return text
}

// flagOf names the flag that a key of the protocol comes from, with its value
// where that is short; "" where none is to blame. A parameter that was not given
// has a default, which --set replaces.
func flagOf(path string, st *world.Starter) string {
	parts := strings.FieldsFunc(path, func(c rune) bool { return c == '.' || c == '[' || c == ']' })
	switch {
	case len(parts) == 0 && len(st.Set) > 0: // not YAML: values of --set are written as they stand
		return "--set"
	case len(parts) == 0:
		return ""
	case path == "policy" || path == "policy.name":
		return "--policy " + st.Policy
	case path == "counter" || path == "counter.name":
		return "--counter " + st.Counter
	case path == "counter.epsilon":
		return "--epsilon " + st.Epsilon
	case parts[0] == "arms":
		return "--labels"
	case path == "log.released_by_arm":
		return "--log released"
	case path == "log.propensity_by_arm":
		return "--log propensities"
	case len(parts) == 1 || !slices.Contains([]string{"policy", "counter"}, parts[0]):
		return ""
	}
	if value, given := st.Set[parts[1]]; given {
		return "--set " + parts[1] + "=" + value
	}
	return "--set " + parts[1] + "=VALUE"
}

// parseFaults reads a list of faults; nil where there is none. What cannot be
// said of them without the mechanism is the specification's to judge.
func parseFaults(c *cli.Context) ([]string, error) {
	text := c.String("fault")
	if text == "" && c.IsSet("fault") {
		return nil, kit.Usagef("--fault is empty; write a list such as half-scale,redraw, or leave it out")
	}
	if text == "" {
		return nil, nil
	}
	list := strings.Split(text, ",")
	for i, name := range list {
		if list[i] = strings.TrimSpace(name); list[i] == "" {
			return nil, kit.Usagef("--fault is %s, and a name is missing beside a comma; write a list such as half-scale,redraw", schemas.Quoted(text))
		}
	}
	return list, nil
}
