// Command answers audits logs that were not gathered privately, counts what each
// method answers, and writes the page testdata/reproduce/ANSWERS.md:
//
//	go run ./testdata/reproduce/answers -o testdata/reproduce/ANSWERS.md
//
// What was counted of a setting is kept as soon as it is done, in ANSWERS.json beside
// the page; a run that was ended goes on where it was. With -settings only those whose
// ID fits are counted, whatever was kept of them. The counts are the same whatever the
// number of processors (-j). With -times nothing is counted, and times are measured for
// the page.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"banditaudit/testdata/reproduce/answer"
)

func main() {
	out := flag.String("o", "", "`FILE` of the page")
	only := flag.String("settings", "", "only settings whose ID fits this `REGEXP`")
	logs := flag.Int("logs", 200, "logs of each setting and world")
	jobs := flag.Int("j", runtime.NumCPU(), "how many logs are audited at once")
	rows := flag.Int("times", 0, "count nothing, and time analyze on a log of so many `ROWS`")
	repeats := flag.Int("repeats", 3, "how often each time is taken")
	flag.Parse()
	var err error
	if *rows > 0 {
		err = measure(*out, *rows, *repeats)
	} else {
		err = run(*out, *only, *logs, *jobs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

// read reads what is kept beside the page.
func read(out string) (book *answer.Book, file string, err error) {
	if out == "" {
		return nil, "", errors.New("-o names no page")
	}
	file, book = strings.TrimSuffix(out, filepath.Ext(out))+".json", &answer.Book{}
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
func measure(out string, rows, repeats int) error {
	book, file, err := read(out)
	if err != nil {
		return err
	}
	if book.Times, err = answer.Measure(rows, repeats); err != nil {
		return err
	}
	book.Times.Made = made()
	if err = keep(file, book); err != nil {
		return err
	}
	return os.WriteFile(out, []byte(book.Page(answer.Settings())), 0o600)
}

func run(out, only string, logs, jobs int) error {
	fits, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-settings: %w", err)
	}
	book, file, err := read(out)
	if err != nil {
		return err
	}
	settings := answer.Settings()
	for i := range settings {
		s := &settings[i]
		if kept := book.Of(s); !fits.MatchString(s.ID()) || only == "" && kept != nil && kept.Logs >= logs {
			continue
		}
		began := time.Now()
		c, err := s.Count(logs, jobs)
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID(), err)
		}
		c.Made = made()
		book.Put(c)
		if err = keep(file, book); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%3d of %d  %6.1f s  %s\n", i+1, len(settings), time.Since(began).Seconds(), s.ID())
	}
	return os.WriteFile(out, []byte(book.Page(settings)), 0o600)
}

// keep replaces the file in one step.
func keep(path string, book *answer.Book) error {
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

// made is the commit that is checked out, with "+" where files were changed, and the
// day.
func made() string {
	id, err := exec.Command("git", "rev-parse", "--short=7", "HEAD").Output()
	if err != nil {
		return "an unknown commit"
	}
	out := strings.TrimSpace(string(id))
	changed, err := exec.Command("git", "status", "--porcelain", "--", ".", ":!testdata/reproduce/ANSWERS.*").Output()
	if err != nil || len(changed) > 0 {
		out += "+"
	}
	return out + " " + time.Now().UTC().Format(time.DateOnly)
}
