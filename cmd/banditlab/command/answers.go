package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/answers"
	"banditaudit/cmd/kit"
)

// answersCommand counts what ANSWERS.md has. What was counted of a setting is kept as soon as
// it is done, in ANSWERS.json beside the page: a run that was ended goes on where it was.
func answersCommand(p *process) *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "settings", Usage: "only settings whose ID fits this `REGEXP`, whatever was kept of them"},
		&cli.IntFlag{Name: "logs", Value: 200, Usage: "`LOGS` of each setting and world"},
		&cli.IntFlag{Name: "times", Usage: "count nothing, and time analyze on a log of so many `ROWS`"},
		&cli.IntFlag{Name: "repeats", Value: 3, Usage: "how `OFTEN` each time is taken"},
	}
	return counted(p, "answers", "how often each method answers, and its intervals miss", " [--settings REGEXP]", own, func(c *cli.Context, p *process) error {
		if rows := c.Int("times"); rows > 0 {
			return p.measure(c.String("out"), rows, c.Int("repeats"))
		}
		return p.answer(c.String("out"), c.String("settings"), c.Int("logs"))
	})
}

// readAnswers reads what is kept beside the page.
func readAnswers(out string) (book *answers.Book, file string, err error) {
	if out == "" {
		return nil, "", kit.Usagef("answers needs -o, the page beside which it keeps what it counted")
	}
	file, book = strings.TrimSuffix(out, filepath.Ext(out))+".json", &answers.Book{}
	switch text, err := os.ReadFile(file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, "", err
	default:
		if err = json.Unmarshal(text, book); err != nil {
			return nil, "", fmt.Errorf("%s: %w; delete the file, and count again", file, err)
		}
	}
	return book, file, nil
}

// measure takes times for the page.
func (p *process) measure(out string, rows, repeats int) error {
	book, file, err := readAnswers(out)
	if err != nil {
		return err
	}
	if book.Times, err = answers.Measure(rows, repeats); err != nil {
		return err
	}
	book.Times.Made = p.made()
	if err = keepAnswers(file, book); err != nil {
		return err
	}
	return p.keepPage(out, []byte(book.Page(answers.Settings())))
}

func (p *process) answer(out, only string, logs int) error {
	fits, err := regexp.Compile(only)
	if err != nil {
		return kit.Usagef("--settings: %s", err)
	}
	book, file, err := readAnswers(out)
	if err != nil {
		return err
	}
	settings := answers.Settings()
	for i := range settings {
		s := &settings[i]
		if kept := book.Of(s); !fits.MatchString(s.ID()) || only == "" && kept != nil && kept.Logs >= logs {
			continue
		}
		began := p.Now()
		c, err := s.Count(logs, runtime.GOMAXPROCS(0))
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID(), err)
		}
		c.Made = p.made()
		book.Put(c)
		if err = keepAnswers(file, book); err != nil {
			return err
		}
		fmt.Fprintf(p.Stderr, "%3d of %d  %6.1f s  %s\n", i+1, len(settings), p.Now().Sub(began).Seconds(), s.ID())
	}
	return p.keepPage(out, []byte(book.Page(settings)))
}

// keepAnswers replaces the file in one step.
func keepAnswers(path string, book *answers.Book) error {
	text, err := json.MarshalIndent(book, "", " ")
	if err != nil {
		return err
	}
	part := path + ".part"
	if err = os.WriteFile(part, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// made is the commit that is checked out, with "+" where files were changed, and the day.
func (p *process) made() string { return commit("ANSWERS") + " " + p.today() }
