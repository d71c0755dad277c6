package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
)

// helpWidth is the width of a help text.
const helpWidth = 88

// manual is a command's description: what it does, and examples.
func manual(text string, examples ...string) string {
	return text + "\n\nEXAMPLES\n  " + strings.Join(examples, "\n  ")
}

// commandHelp is what --help says of a command: what it does, examples, and the
// flags that mean something to it.
func commandHelp(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "banditaudit %s - %s\n\nUSAGE\n  %s\n\n%s\n", c.Name, c.Usage, strings.ReplaceAll(c.UsageText, "\n", "\n  "), c.Description)
	head := "\nFLAGS\n"
	for _, f := range c.VisibleFlags() {
		if d, ok := f.(cli.DocGenerationFlag); ok && d.Names()[0] != "help" {
			b.WriteString(head + flagHelp(d))
			head = ""
		}
	}
	return b.String()
}

// placeholder is the word of a flag's usage that stands for its value.
var placeholder = regexp.MustCompile("`([^`]*)`")

// flagHelp says how a flag is written, what it does, its default and its variable.
func flagHelp(f cli.DocGenerationFlag) string {
	names := f.Names()
	word := dashed(names[0])
	if len(names) > 1 {
		word = dashed(names[1]) + ", " + word
	}
	usage := f.GetUsage()
	if f.TakesValue() {
		value := "VALUE"
		if m := placeholder.FindStringSubmatch(usage); m != nil {
			value = m[1]
		}
		word += " " + value
		if d := f.GetDefaultText(); d != "" && d != "0" {
			usage += " (default: " + strings.Trim(d, `"`) + ")"
		}
	}
	if v := f.GetEnvVars(); len(v) > 0 {
		usage += " [" + v[0] + "]"
	}
	var b strings.Builder
	hanging(&b, word, strings.ReplaceAll(usage, "`", ""))
	return b.String()
}

// hang is the column of what is said of a word.
const hang = 26

// hanging writes a word and, beside it, what is said of it.
func hanging(b *strings.Builder, word, says string) {
	line := "  " + word
	if utf8.RuneCountInString(line) > hang-2 {
		b.WriteString(line + "\n")
		line = ""
	}
	for _, words := range terminal.Broken(says, helpWidth-hang) {
		fmt.Fprintf(b, "%-*s%s\n", hang, line, words)
		line = ""
	}
}
