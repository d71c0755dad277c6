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
	spill     io.ReadWriteSeeker
	out       *bufio.Writer
	first     bool
	checked   int
	finding   *schemas.Form
	part      *schemas.Form
	validated error // of compiling the schemas
}

// NewWriter returns a writer that keeps the experiments in spill, an
// empty file, until the verdicts that stand before them are known.
func NewWriter(c *schemas.Catalogue, spill io.ReadWriteSeeker) *Writer {
	w := &Writer{catalogue: c, spill: spill, out: bufio.NewWriterSize(spill, 1<<16), first: true}
	var faults [2]error
	w.finding, faults[0] = c.ResultsForm("#/$defs/Finding")
	w.part, faults[1] = c.ResultsForm("#/$defs/Experiment")
	w.validated = errors.Join(faults[:]...)
	return w
}

// Add writes the next experiment. The first experiments are checked against
// their schema. The error has schemas.ErrInvalid in its chain where the experiment
// cannot be part of a results.json; every other error is of the spill.
func (w *Writer) Add(e *schemas.Experiment) error {
	if w.validated != nil {
		return w.validated
	}
	separator := ",\n    "
	if w.first {
		separator, w.first = "\n    ", false
	}
	if _, err := w.out.WriteString(separator); err != nil {
		return err
	}
	text := beginning{most: min(maxChecked, maxValidated-w.checked)}
	if err := schemas.EncodeTo(io.MultiWriter(w.out, &text), e, "    "); err != nil {
		return err
	}
	if w.checked += text.size; text.size > text.most {
		return nil
	}
	return w.part.Check(text.b)
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

// Finish writes the document to out: head, whose own experiments are not looked
// at, and every experiment that was added. Errors are as of Add, or of out.
func (w *Writer) Finish(out io.Writer, head *schemas.Results) error {
	start, claims, rest, err := w.head(head)
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
	for i := range claims {
		b, invalid := w.encode(&claims[i], w.finding)
		if invalid != nil {
			return invalid
		}
		put([]byte(map[bool]string{true: "\n    ", false: ",\n    "}[i == 0]))
		put(b)
	}
	if len(claims) > 0 {
		put([]byte("\n  "))
	}
	put(rest)
	if err == nil {
		err = w.copyTo(to)
	}
	if err == nil && !w.first {
		put([]byte("\n  "))
	}
	put([]byte("]\n}\n"))
	return errors.Join(err, to.Flush())
}

// head encodes everything around claims and experiments: start ends with the
// bracket that opens the claims, rest with the one that opens the experiments.
func (w *Writer) head(head *schemas.Results) (start []byte, claims []schemas.Finding, rest []byte, err error) {
	bare := *head
	bare.Claims, bare.Experiments = nil, nil
	b, err := schemas.Encode(&bare)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", schemas.ErrInvalid, err)
	}
	if err = w.catalogue.ValidateResults(b); err != nil {
		return nil, nil, nil, err
	}
	// A line that begins with two blanks and a key is one of the document
	// itself: whatever lies deeper is indented by more.
	start, rest, _ = bytes.Cut(b, []byte("\n  \"claims\": []"))
	start = append(bytes.Clone(start), "\n  \"claims\": ["...)
	rest = append([]byte("]"), bytes.TrimSuffix(rest, []byte("]\n}\n"))...)
	return start, head.Claims, rest, nil
}

// encode writes a part, and checks its form while there is room for that.
func (w *Writer) encode(v any, form *schemas.Form) ([]byte, error) {
	b, err := schemas.EncodeBelow(v, "    ")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", schemas.ErrInvalid, err)
	}
	if w.validated != nil {
		return nil, w.validated
	}
	if w.checked += len(b); w.checked <= maxValidated {
		err = form.Check(b)
	}
	return bytes.TrimSuffix(b, []byte("\n")), err
}

func (w *Writer) copyTo(out io.Writer) error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := w.spill.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(out, w.spill)
	return err
}
