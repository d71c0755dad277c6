// Command truths audits worlds in which an audit could say something false, and
// honest logs, and writes the page testdata/reproduce/TRUTH.md:
//
//	go run ./testdata/reproduce/truths -o testdata/reproduce/TRUTH.md
//
// What was counted of a row is kept as soon as the row is done, in TRUTH.json
// beside the page. A run that was ended goes on where it was: rows that were kept
// by the same sources are not counted again. Of a page that is whole, a row that
// was added or changed is counted alone:
//
//	go run ./testdata/reproduce/truths -rows '^honest/delays$' -o testdata/reproduce/TRUTH.md
//
// With -rows and without -o these rows alone are written, and nothing is kept. With
// -page nothing is counted: the page is written from what was kept. With -list
// nothing is written: it says which rows there are, and what is kept of each. The
// counts are the same whatever the number of processors (-j).
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"banditaudit/testdata/reproduce/truth"
)

type options struct {
	out, keep, only   string
	page, list, again bool
	jobs              int
}

func main() {
	var o options
	flag.StringVar(&o.out, "o", "", "`FILE` of the page; standard output where it is not given")
	flag.StringVar(&o.keep, "keep", "", "`FILE` of what was counted; that of the page with .json where it is not given")
	flag.StringVar(&o.only, "rows", "", "only rows whose TABLE/NAME fits this `REGEXP`, whatever was kept of them")
	flag.BoolVar(&o.page, "page", false, "count nothing, and write the page from what was kept")
	flag.BoolVar(&o.list, "list", false, "list the rows, and what was kept of them")
	flag.BoolVar(&o.again, "again", false, "count all rows again, whatever was kept of them")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "how many logs are audited at once")
	flag.Parse()
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, "truths:", err)
		os.Exit(1)
	}
}

func run(o *options) error {
	fits, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	if o.keep == "" && o.out != "" {
		o.keep = strings.TrimSuffix(o.out, filepath.Ext(o.out)) + ".json"
	}
	rows := truth.Rows()
	chosen := truth.Find(rows, fits.MatchString)
	if len(chosen) == 0 {
		return fmt.Errorf("-rows: no row fits %q; -list has them", o.only)
	}
	by, err := counting()
	if err != nil {
		return err
	}
	if o.list {
		return list(os.Stdout, o, chosen, by)
	}
	runtime.GOMAXPROCS(o.jobs)
	kept := &truth.Book{}
	if !o.page {
		kept, err = count(o, chosen, by)
	}
	return errors.Join(err, write(o, rows, chosen, kept))
}

// list says which rows there are.
func list(w io.Writer, o *options, rows []truth.Row, by truth.Made) error {
	book, err := book(o)
	if err != nil {
		return err
	}
	for i := range rows {
		state := "not counted"
		if k := book.Of(&rows[i]); k != nil {
			state = fmt.Sprintf("%s, %s", k.Made.Commit, k.Made.Date)
			if k.Made.Program != by.Program {
				state += ", by other sources"
			}
		}
		fmt.Fprintf(w, "%6d logs  %-60s %s\n", rows[i].Logs, rows[i].ID(), state)
	}
	return nil
}

// book is what was kept, nothing where no file is named.
func book(o *options) (*truth.Book, error) {
	if o.keep == "" {
		return &truth.Book{}, nil
	}
	return truth.ReadBook(o.keep)
}

// count counts the rows that are not kept, and keeps each when it is done. A row
// that fails is left out, and the others are counted.
func count(o *options, rows []truth.Row, by truth.Made) (*truth.Book, error) {
	have, err := book(o)
	if err != nil {
		return nil, err
	}
	counted, began := &truth.Book{}, time.Now()
	for i := range rows {
		row, now := &rows[i], time.Now()
		if k := have.Of(row); k != nil && k.Made.Program == by.Program && o.only == "" && !o.again {
			continue
		}
		k, wrong := row.Count(by)
		if wrong == nil && o.keep != "" {
			wrong = truth.Keep(o.keep, k)
		}
		if wrong != nil {
			err = errors.Join(err, wrong)
			fmt.Fprintln(os.Stderr, "truths:", wrong)
			continue
		}
		counted.Rows = append(counted.Rows, *k)
		fmt.Fprintf(os.Stderr, "%3d of %d  %6.1f s (%5.1f min in all)  %s\n", i+1, len(rows), time.Since(now).Seconds(), time.Since(began).Minutes(), row.ID())
	}
	return counted, err
}

// write writes the page: all rows as they were kept, or those that were just
// counted where nothing is kept.
func write(o *options, rows, chosen []truth.Row, counted *truth.Book) error {
	if o.keep == "" {
		rows = chosen
	} else {
		var err error
		if counted, err = truth.ReadBook(o.keep); err != nil {
			return err
		}
	}
	page := counted.Page(rows)
	if o.out == "" {
		_, err := os.Stdout.WriteString(page)
		return err
	}
	return os.WriteFile(o.out, []byte(page), 0o600)
}
