package truth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"banditaudit/schemas"
)

// Book is the file TRUTH.json: what was counted of every row, from which the page
// is written.
type Book struct {
	Rows []Kept `json:"rows"`
}

// Kept is what was counted of a row.
type Kept struct {
	Table      string `json:"table"`
	Name       string `json:"name"`
	Definition string `json:"definition"` // Row.Definition
	Made       Made   `json:"made"`

	Counted  []Counted  `json:"counted,omitempty"`  // of a world: what it asks, and what is counted beside it
	Verdicts []Verdicts `json:"verdicts,omitempty"` // of an honest kind: of its logs, and of those that were audited again
	Cells    []Tally    `json:"cells,omitempty"`    // of tests: in the order of Cells
}

// Made is the program that counted.
type Made struct {
	Commit  string `json:"commit"`  // that was checked out, with "+" where files were changed
	Program string `json:"program"` // a digest of its sources
	Date    string `json:"date"`    // UTC
}

// Counted is how many of the logs something is so.
type Counted struct {
	Said string `json:"said"`
	Of   int    `json:"of"`
	Logs int    `json:"logs"`
}

// Verdicts are the verdicts of the logs First … First+Logs−1, by kind of claim.
type Verdicts struct {
	First  int                                `json:"first"`
	Logs   int                                `json:"logs"`
	Claims map[string]map[schemas.Verdict]int `json:"claims"`
}

// Tally is what the candidates did in a cell, in their order.
type Tally struct {
	T     float64   `json:"t"`
	Width []float64 `json:"width"`
	Power []float64 `json:"power"`
}

// ReadBook reads a book; where there is no file, it is empty.
func ReadBook(path string) (*Book, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Book{}, nil
	}
	if err != nil {
		return nil, err
	}
	b, d := &Book{}, json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err = d.Decode(b); err != nil {
		return nil, fmt.Errorf("%s: %w; delete the file, and count again", path, err)
	}
	return b, nil
}

// Of is what was kept of a row, nil where nothing was, or where what is counted has
// changed since.
func (b *Book) Of(r *Row) *Kept {
	i := b.at(r.Table, r.Name)
	if i < 0 || b.Rows[i].Definition != r.Definition() {
		return nil
	}
	return &b.Rows[i]
}

func (b *Book) at(table, name string) int {
	return slices.IndexFunc(b.Rows, func(k Kept) bool { return k.Table == table && k.Name == name })
}

// put adds a row, or replaces it.
func (b *Book) put(k *Kept) {
	if i := b.at(k.Table, k.Name); i >= 0 {
		b.Rows[i] = *k
		return
	}
	b.Rows = append(b.Rows, *k)
}

// Order sorts the book as the rows are, and drops what none of them is.
func (b *Book) Order(rows []Row) {
	var out []Kept
	for i := range rows {
		if at := b.at(rows[i].Table, rows[i].Name); at >= 0 {
			out = append(out, b.Rows[at])
		}
	}
	b.Rows = out
}

// Keep puts one row into the file of a book, which is read again before: it holds
// what another run has put in. The file is whole at every moment. Two runs that
// keep a row in the same instant may lose one of the two.
func Keep(path string, k *Kept) error {
	b, err := ReadBook(path)
	if err != nil {
		return err
	}
	b.put(k)
	b.Order(Rows())
	return b.write(path)
}

// text is the file: a line for every row.
func (b *Book) text() ([]byte, error) {
	lines := make([][]byte, len(b.Rows))
	for i := range b.Rows {
		line, err := json.Marshal(&b.Rows[i])
		if err != nil {
			return nil, err
		}
		lines[i] = line
	}
	return slices.Concat([]byte("{\"rows\": [\n"), bytes.Join(lines, []byte(",\n")), []byte("\n]}\n")), nil
}

// write replaces the file in one step.
func (b *Book) write(path string) (err error) {
	text, err := b.text()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
