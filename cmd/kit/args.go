// Package kit has what the programs of this module share: the process, flags and settings,
// errors and exit codes, outputs that appear whole, progress and help. It knows no command.
package kit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/schemas"
	"banditaudit/schemas/near"
)

// Normalise moves flags ahead of arguments and puts "--" between them, so that
// a flag means the same wherever it stands. urfave/cli v2 stops parsing at the
// first argument and takes what follows for arguments without a word.
// It refuses what begins with "-" and is no flag of the command.
func (g *Program) Normalise(app *cli.App, args []string) ([]string, error) {
	name, rest, err := splitCommand(g, app, args)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return []string{"help"}, nil
	}
	flags, operands, err := partition(app.Command(name), rest)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(flags, isHelp) {
		return []string{"help", name}, nil
	}
	out := append([]string{name}, flags...)
	if len(operands) > 0 {
		out = append(append(out, "--"), operands...)
	}
	return out, nil
}

// splitCommand takes the command's name out of args. Common flags may stand
// before it. The name is "" where there is only help to show.
func splitCommand(g *Program, app *cli.App, args []string) (string, []string, error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if !IsFlag(arg) {
			if app.Command(arg) == nil {
				return "", nil, unknownCommand(g, app, arg)
			}
			return arg, append(append([]string{}, args[:i]...), args[i+1:]...), nil
		}
		if isHelp(arg) {
			return "", nil, nil
		}
		if arg == "--version" {
			return "version", nil, nil
		}
		takes, known := flagTakesValue(g.Flags(""), arg)
		if !known {
			return "", nil, Usagef("unknown flag %s before the command; write %s", flagName(arg), app.UsageText)
		}
		if takes {
			i++
		}
	}
	return "", nil, Usagef("no command given; one of: %s; %s --help says more", strings.Join(commandNames(app), ", "), app.Name)
}

// partition sorts the words after the command into flags with their values and
// operands. A word after "--" is always an operand.
func partition(cmd *cli.Command, words []string) (flags, operands []string, err error) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			return flags, append(operands, words[i+1:]...), nil
		}
		if !IsFlag(word) {
			operands = append(operands, word)
			continue
		}
		flags = append(flags, word)
		if isHelp(word) {
			continue
		}
		takes, known := flagTakesValue(cmd.Flags, word)
		switch {
		case !known:
			return nil, nil, unknownFlag(cmd, word)
		case takes && i+1 == len(words):
			return nil, nil, Usagef("flag %s needs a value", flagName(word))
		case takes:
			i++
			flags = append(flags, words[i])
		}
	}
	return flags, operands, nil
}

// IsFlag reports whether a word of a command line is a flag.
func IsFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

func isHelp(word string) bool { return word == "-h" || word == "--help" || word == "-help" }

// flagName is the flag's word without a value: "--seed" of "--seed=7".
func flagName(word string) string {
	name, _, _ := strings.Cut(word, "=")
	return name
}

// flagTakesValue reports whether the word names one of the flags, and whether
// the next word is its value.
func flagTakesValue(flags []cli.Flag, word string) (takes, known bool) {
	name, _, attached := strings.Cut(word, "=")
	name = strings.TrimLeft(name, "-")
	for _, f := range flags {
		for _, n := range f.Names() {
			if n != name {
				continue
			}
			d, ok := f.(cli.DocGenerationFlag)
			return ok && d.TakesValue() && !attached, true
		}
	}
	return false, false
}

func unknownFlag(cmd *cli.Command, word string) error {
	var names []string
	for _, f := range cmd.Flags {
		for _, n := range f.Names() {
			names = append(names, dashed(n))
		}
	}
	return Usagef("unknown flag %s for %s%s; an argument that begins with - is written after --",
		flagName(word), cmd.Name, nearest(flagName(word), names))
}

func unknownCommand(g *Program, app *cli.App, word string) error {
	if where := g.Elsewhere(word); where != "" {
		return Usagef("%s", where)
	}
	return Usagef("unknown command %s%s; one of: %s", schemas.Quoted(word), nearest(word, commandNames(app)), strings.Join(commandNames(app), ", "))
}

func commandNames(app *cli.App) []string {
	var names []string
	for _, c := range app.Commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// minHint is the length from which a word can be mistyped rather than wrong.
const minHint = 4

// nearest is a hint that names the closest candidate, or "" where none is near.
func nearest(word string, candidates []string) string {
	best, distance := "", max(3, 1+len(word)/3)
	if len(word) < minHint {
		return "" // nearly everything is near
	}
	for _, c := range candidates {
		if d := near.EditDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}
