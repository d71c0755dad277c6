package command

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/cmd/kit"
)

// truths is what truths is asked for.
type truths struct {
	p                 *process
	out, keep, only   string
	page, list, again bool
}

// truthsCommand counts what TRUTH.md has. What was counted of a row is kept as soon as the
// row is done, in TRUTH.json beside the page, so that a run that was ended goes on where it
// was: rows that were kept by the same sources are not counted again.
func truthsCommand(p *process) *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "rows", Usage: "only rows whose TABLE/NAME fits this `REGEXP`, whatever was kept of them"},
		&cli.StringFlag{Name: "keep", DefaultText: "that of the page with .json", Usage: "`FILE` of what was counted"},
		&cli.BoolFlag{Name: "page", Usage: "count nothing, and write the page from what was kept"},
		&cli.BoolFlag{Name: "list", Usage: "list the rows, and what was kept of them"},
		&cli.BoolFlag{Name: "again", Usage: "count all rows again, whatever was kept of them"},
	}
	return counted(p, "truth", "do audits of known worlds, and of honest logs, say anything false", " [--rows REGEXP]", own, func(c *cli.Context, p *process) error {
		o := truths{
			p: p, out: c.String("out"), keep: c.String("keep"), only: c.String("rows"),
			page: c.Bool("page"), list: c.Bool("list"), again: c.Bool("again"),
		}
		return o.run()
	})
}

func (o *truths) run() error {
	fits, err := regexp.Compile(o.only)
	if err != nil {
		return kit.Usagef("--rows: %s", err)
	}
	if o.keep == "" && o.out != "" {
		o.keep = strings.TrimSuffix(o.out, filepath.Ext(o.out)) + ".json"
	}
	rows := truth.Rows()
	chosen := truth.Find(rows, fits.MatchString)
	if len(chosen) == 0 {
		return kit.Usagef("--rows: no row fits %q; --list has them", o.only)
	}
	by, err := o.p.counting()
	if err != nil {
		return err
	}
	if o.list {
		return o.rows(o.p.Stdout, chosen, by)
	}
	kept := &truth.Book{}
	if !o.page {
		kept, err = o.count(chosen, by)
	}
	return errors.Join(err, o.write(rows, chosen, kept))
}

// rows says which rows there are.
func (o *truths) rows(w io.Writer, rows []truth.Row, by truth.Made) error {
	book, err := o.book()
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
func (o *truths) book() (*truth.Book, error) {
	if o.keep == "" {
		return &truth.Book{}, nil
	}
	return truth.ReadBook(o.keep)
}

// count counts the rows that are not kept, and keeps each when it is done. A row
// that fails is left out, and the others are counted.
func (o *truths) count(rows []truth.Row, by truth.Made) (*truth.Book, error) {
	have, err := o.book()
	if err != nil {
		return nil, err
	}
	counted, began := &truth.Book{}, o.p.Now()
	for i := range rows {
		row, now := &rows[i], o.p.Now()
		if k := have.Of(row); k != nil && k.Made.Program == by.Program && o.only == "" && !o.again {
			continue
		}
		k, wrong := row.Count(by)
		if wrong == nil && o.keep != "" {
			wrong = truth.Keep(o.keep, k)
		}
		if wrong != nil {
			err = errors.Join(err, wrong)
			fmt.Fprintln(o.p.Stderr, "banditlab: "+wrong.Error())
			continue
		}
		counted.Rows = append(counted.Rows, *k)
		fmt.Fprintf(o.p.Stderr, "%3d of %d  %6.1f s (%5.1f min in all)  %s\n", i+1, len(rows), o.p.Now().Sub(now).Seconds(), o.p.Now().Sub(began).Minutes(), row.ID())
	}
	return counted, err
}

// write writes the page: all rows as they were kept, or those that were just
// counted where nothing is kept.
func (o *truths) write(rows, chosen []truth.Row, counted *truth.Book) error {
	if o.keep == "" {
		rows = chosen
	} else {
		var err error
		if counted, err = truth.ReadBook(o.keep); err != nil {
			return err
		}
	}
	page := counted.Page(rows)
	return o.p.keepPage(o.out, []byte(page))
}
