package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/kit"
)

// The help on verdicts names the checks that data.quality stands on, three
// neighbours or more as a range.
func TestHelpNamesQuality(t *testing.T) {
	var runs [][]string
	open := false
	for _, c := range check.Checks() {
		switch last := len(runs) - 1; {
		case !c.Quality:
		case open:
			runs[last] = append(runs[last], c.ID)
		default:
			runs = append(runs, []string{c.ID})
		}
		open = c.Quality
	}
	words := make([]string, len(runs))
	for i, r := range runs {
		if words[i] = strings.Join(r, ", "); len(r) > 2 {
			words[i] = r[0] + "-" + r[len(r)-1]
		}
	}
	verdicts := kit.TopicOf(allTopics(known()), "verdicts").Text(88)
	if !strings.Contains(verdicts, "## What would pass unseen") || !strings.Contains(verdicts, "\npolicy.conformance, by released values:\n\n- ") {
		t.Error("help verdicts does not say what would pass unseen")
	}
	if want := "checks " + strings.Join(words, ", ") + " hold"; !strings.Contains(verdicts, want) {
		t.Errorf("the help does not say %q", want)
	}
}

// A command says what it does, and gives two examples of words that it takes.
func TestHelpOfCommands(t *testing.T) {
	g, app := appOf(nil)
	for _, c := range app.Commands {
		_, examples, found := strings.Cut(c.Description, "\n\nEXAMPLES\n")
		lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(examples), "\\\n", ""), "\n")
		if !found || len(lines) < 2 {
			t.Errorf("%s has %d examples", c.Name, len(lines))
		}
		for _, line := range lines {
			_, line, _ = strings.Cut(line, "banditaudit ")
			if _, err := g.Normalise(app, words(strings.Split(strings.TrimSuffix(line, ")"), " > ")[0], "DIR")); err != nil {
				t.Errorf("%s: %s: %v", c.Name, line, err)
			}
		}
	}
	code, text, stderr := run(t, "help", "validate")
	if code != kit.ExitOK || strings.Contains(text, "--keep-tableau") || !strings.Contains(text, "  -p, --protocol FILE ") {
		t.Errorf("exit %d\n%s%s", code, stderr, text)
	}
}

// Every topic has a file, every file is a topic, and both are narrow enough for a
// terminal and begin with a heading. What README links to is there.
func TestTopics(t *testing.T) {
	files, err := filepath.Glob("topics/*.md")
	if err != nil || len(files) != len(kit.TopicNames(allTopics(known()))) {
		t.Errorf("%d files, %d topics", len(files), len(kit.TopicNames(allTopics(known()))))
	}
	for _, topic := range allTopics(known()) {
		text := topic.Text(88)
		if !strings.HasPrefix(text, "# ") {
			t.Errorf("%s has no heading", topic.Name)
		}
		if !strings.Contains(fileText(t, "README.md"), "("+manualDir+"/"+topic.Name+".md)") {
			t.Errorf("README.md does not link to %s", topic.Name)
		}
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(line) > 88+1 && !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "|") {
				t.Errorf("%s: %q is wide", topic.Name, line)
			}
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(fileText(t, "README.md"), -1) {
		if _, err := os.Stat(filepath.Join(root, link[1])); err != nil {
			t.Error(err)
		}
	}
}

// An alias gives the page of its topic, or the section that it names, and no list has it.
func TestHelpAliases(t *testing.T) {
	topics := allTopics(known())
	_, overview, _ := run(t, "help")
	_, app := appOf(nil)
	seen := kit.TopicNames(topics)
	for _, topic := range topics {
		for _, a := range topic.Aliases {
			if slices.Contains(seen, a.Name) || app.Command(a.Name) != nil || strings.Contains(overview, "\n  "+a.Name+" ") {
				t.Errorf("%s is there twice, or listed", a.Name)
			}
			seen = append(seen, a.Name)
			_, page, _ := run(t, "help", topic.Name)
			code, got, stderr := run(t, "help", a.Name)
			switch {
			case code != kit.ExitOK:
				t.Errorf("help %s: exit %d\n%s", a.Name, code, stderr)
			case a.Section == "" && !strings.HasSuffix("\n"+page, "\n"+got): // a command of the topic's name stands before it
				t.Errorf("help %s is not help %s", a.Name, topic.Name)
			case a.Section != "" && (!strings.HasPrefix(got, "# "+a.Section+"\n") || strings.Contains(got, "\n## ") || !strings.Contains(page, strings.TrimPrefix(got, "# "))):
				t.Errorf("help %s is not the section %q of help %s:\n%s", a.Name, a.Section, topic.Name, got)
			}
		}
	}
	if len(seen) == len(topics) {
		t.Error("there are no aliases")
	}
}

// The width of help is COLUMNS, and 60 at the least; what stands in the page is all there.
func TestHelpWidth(t *testing.T) {
	for _, c := range []struct {
		columns string
		width   int
	}{{"", 100}, {"70", 70}, {"20", 60}, {"150", 150}} {
		t.Setenv("COLUMNS", c.columns)
		for _, args := range []string{"help answers", "help audit", "explain claim:policy.conformance"} {
			_, text, _ := run(t, strings.Fields(args)...)
			widest := 0
			for line := range strings.Lines(text) {
				if !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "|") {
					widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
				}
			}
			if widest > c.width || widest < c.width-12 {
				t.Errorf("COLUMNS=%s: %s is %d wide", c.columns, args, widest)
			}
		}
		for _, topic := range allTopics(known()) {
			want, got := strings.Fields(topic.Text(88)), strings.Fields(topic.Text(c.width))
			if !slices.Equal(want, got) {
				t.Errorf("%s has other words at a width of %d", topic.Name, c.width)
			}
		}
	}
}

// Code of the manual stands at every width line by line as it is written.
func TestHelpCode(t *testing.T) {
	for _, topic := range allTopics(known()) {
		source, fenced, after := fileText(t, manualDir+"/"+topic.Name+".md"), false, true
		for _, width := range []int{60, 80, 200} {
			text := "\n" + topic.Text(width)
			for line := range strings.Lines(source) {
				fence := strings.HasPrefix(line, "```")
				code := fenced || after && strings.HasPrefix(line, "    ")
				if fenced = fenced != fence; code && !strings.Contains(text, "\n"+line) {
					t.Errorf("%s, %d wide: lacks %q", topic.Name, width, line)
				}
				after = code || strings.TrimSpace(line) == ""
			}
		}
	}
}

// What can stand at a place of a command line is offered there.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"au": "audit", "help gua": "guarantees", "audit -p x --fa": "--fail-on", "-q audit --fa": "--fail-on", "validate --keep": "", "reproduce e3": "e3-intercept", "completion z": "zsh", "audit lo": "",
		"explain check:H17": "check:H17", "explain H17": "H17", "explain --js": "--json", "explain H17 o": "",
	} {
		code, got, errs := run(t, append(strings.Split(line, " "), kit.AskCompletion)...)
		if code != 0 || strings.TrimSpace(got) != want {
			t.Errorf("%s: exit %d, %q, want %q\n%s", line, code, got, want, errs)
		}
	}
}
