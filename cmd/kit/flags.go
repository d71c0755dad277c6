package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/schemas"
)

// Variable is the environment variable of a flag.
func Variable(name string) []string { return []string{"BANDITAUDIT_" + name} }

// IsHidden reports whether help leaves a flag out: it is not among those that it shows.
func IsHidden(name, shown string) bool { return !slices.Contains(strings.Fields(shown), name) }

// CommonFlags are understood by every command. The help of a command shows those
// that mean something to it.
func CommonFlags(shown string) []cli.Flag {
	hidden := func(name string) bool { return IsHidden(name, shown) }
	return []cli.Flag{
		&cli.StringFlag{Name: "protocol", Hidden: hidden("protocol"), Aliases: []string{"p"}, EnvVars: Variable("PROTOCOL"), Usage: "protocol `FILE` (YAML)"},
		&cli.StringFlag{Name: "out", Hidden: hidden("out"), Aliases: []string{"o"}, EnvVars: Variable("OUT"), Usage: "`PLACE` of the output"},
		jsonFlag{&cli.GenericFlag{
			Name: "json", Hidden: hidden("json"), EnvVars: Variable("JSON"), Value: &jsonValue{},
			Usage: "print one JSON document on stdout instead of the summary; of results, --json=summary: one of at most 10 kB",
		}},
		&cli.BoolFlag{Name: "quiet", Hidden: hidden("quiet"), Aliases: []string{"q"}, EnvVars: Variable("QUIET"), Usage: "no summary, no hints"},
		&cli.BoolFlag{Name: "verbose", Hidden: hidden("verbose"), Aliases: []string{"v"}, EnvVars: Variable("VERBOSE"), Usage: "say on stderr what is being done"},
		&cli.BoolFlag{Name: "no-color", Hidden: true, EnvVars: Variable("NO_COLOR"), Usage: "no colour, of which there is none"},
		&cli.BoolFlag{Name: "no-progress", Hidden: hidden("no-progress"), EnvVars: Variable("NO_PROGRESS"), Usage: "no progress line"},
		&cli.IntFlag{
			Name: "jobs", Hidden: hidden("jobs"), Aliases: []string{"j"}, EnvVars: Variable("JOBS"), DefaultText: "all processors",
			Usage: "`N` workers; results do not depend on it",
		},
		&cli.StringFlag{
			Name: "max-memory", Hidden: hidden("max-memory"), EnvVars: Variable("MAX_MEMORY"), Value: "512MiB",
			Usage: "bound on the tool's own memory, `SIZE` such as 512MiB or 4GiB",
		},
		&cli.BoolFlag{Name: "force", Hidden: hidden("force"), EnvVars: Variable("FORCE"), Usage: "replace an existing output"},
		&cli.Int64Flag{Name: "seed", Hidden: hidden("seed"), EnvVars: Variable("SEED"), Usage: "seed `N` of whatever the tool itself draws"},
	}
}

// jsonFlag is --json: a flag without a value, but for the one that "=" attaches.
type jsonFlag struct{ *cli.GenericFlag }

// TakesValue reports whether the next word is its value.
func (jsonFlag) TakesValue() bool { return false }

// jsonValue is what --json says: nothing, to print a document, or to print the short one.
type jsonValue struct{ on, summary bool }

// summaryWord asks for the short document.
const summaryWord = "summary"

// Set implements cli.Generic.
func (v *jsonValue) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil && text != summaryWord {
		return fmt.Errorf("--json is %s, must stand alone or be --json=%s", schemas.Quoted(text), summaryWord)
	}
	*v = jsonValue{on: on || err != nil, summary: err != nil}
	return nil
}

// String implements cli.Generic.
func (*jsonValue) String() string { return "" }

// IsBoolFlag has package flag not take the next word.
func (*jsonValue) IsBoolFlag() bool { return true }
