package resultsfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"banditaudit/schemas"
)

// maxValidated bounds the bytes of results that are checked against their
// schema while they are written. The check takes many times their size in
// memory and time; what it finds in thousands of experiments it finds in a few.
const maxValidated = 16 << 20

// maxChecked bounds the bytes of one experiment that is checked.
const maxChecked = 2 << 20

// Writer writes results.json one experiment after another, so that a log
// of thousands is never held as a whole. The bytes are those of schemas.Encode. It is
// not safe for concurrent use.
type Writer struct {
	catalogue *schemas.Catalogue
	claims    *list
	parts     *list
	checked   int
	finding   *schemas.Form
	part      *schemas.Form
	validated error // of compiling the schemas
}

// Kept is text that is written, and written out once when that is done.
type Kept interface {
	io.Writer
	io.WriterTo
}

// NewWriter returns a writer that has claims and experiments kept until what stands before
// them is known.
func NewWriter(c *schemas.Catalogue, claims, experiments Kept) *Writer {
	w := &Writer{catalogue: c, claims: &list{text: claims}, parts: &list{text: experiments}}
	var faults [2]error
	w.finding, faults[0] = c.ResultsForm("#/$defs/Finding")
	w.part, faults[1] = c.ResultsForm("#/$defs/Experiment")
	w.validated = errors.Join(faults[:]...)
	return w
}

// Add writes the next experiment. The first experiments are checked against
// their schema. The error has schemas.ErrInvalid in its chain where the experiment
// cannot be part of a results.json; every other error is of the spill.
func (w *Writer) Add(e *schemas.Experiment) error { return w.add(w.parts, e, w.part) }

// AddClaims writes the next claims. Errors are as of Add.
func (w *Writer) AddClaims(claims []schemas.Finding) error {
	for i := range claims {
		if err := w.add(w.claims, &claims[i], w.finding); err != nil {
			return err
		}
	}
	return nil
}

// add writes the next element of a list, and checks its form while there is room for that.
func (w *Writer) add(to *list, v any, form *schemas.Form) error {
	if w.validated != nil {
		return w.validated
	}
	if err := to.next(); err != nil {
		return err
	}
	text := beginning{most: min(maxChecked, maxValidated-w.checked)}
	if err := schemas.EncodeTo(io.MultiWriter(to.text, &text), v, "    "); err != nil {
		return err
	}
	if w.checked += text.size; text.size > text.most {
		return nil
	}
	return form.Check(text.b)
}

// beginning keeps a text that is written, unless it becomes too long.
type beginning struct {
	b          []byte
	size, most int
}

// Write takes up p.
func (t *beginning) Write(p []byte) (int, error) {
	if t.size += len(p); t.size <= t.most {
		t.b = append(t.b, p...)
	} else {
		t.b = nil
	}
	return len(p), nil
}

// Finish writes the document to out: head, whose own experiments are not looked at, with
// the claims that were added before its own, and every experiment that was added. Errors
// are as of Add, or of out.
func (w *Writer) Finish(out io.Writer, head *schemas.Results) error {
	start, rest, err := w.head(head)
	if err == nil {
		err = w.AddClaims(head.Claims)
	}
	if err != nil {
		return err
	}
	to := bufio.NewWriterSize(out, 1<<16)
	put := func(text []byte) {
		if err == nil {
			_, err = to.Write(text)
		}
	}
	put(start)
	if err == nil {
		err = w.claims.copyTo(to)
	}
	put(rest)
	if err == nil {
		err = w.parts.copyTo(to)
	}
	put([]byte("]\n}\n"))
	if err == nil {
		err = to.Flush() // which else says the same again
	}
	return err
}

// head encodes everything around claims and experiments: start ends with the
// bracket that opens the claims, rest with the one that opens the experiments.
func (w *Writer) head(head *schemas.Results) (start, rest []byte, err error) {
	bare := *head
	bare.Claims, bare.Experiments = nil, nil
	b, err := schemas.Encode(&bare)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", schemas.ErrInvalid, err)
	}
	if err = w.catalogue.ValidateResults(b); err != nil {
		return nil, nil, err
	}
	// A line that begins with two blanks and a key is one of the document
	// itself: whatever lies deeper is indented by more.
	start, rest, _ = bytes.Cut(b, []byte("\n  \"claims\": []"))
	start = append(bytes.Clone(start), "\n  \"claims\": ["...)
	rest = append([]byte("]"), bytes.TrimSuffix(rest, []byte("]\n}\n"))...)
	return start, rest, nil
}

// list is the elements of a long list.
type list struct {
	text  Kept
	begun bool
}

// next begins the next element.
func (l *list) next() error {
	separator := ",\n    "
	if !l.begun {
		separator, l.begun = "\n    ", true
	}
	_, err := io.WriteString(l.text, separator)
	return err
}

// copyTo writes the elements, and the end of the line before the bracket.
func (l *list) copyTo(out io.Writer) error {
	if !l.begun {
		return nil
	}
	if _, err := l.text.WriteTo(out); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n  ")
	return err
}
