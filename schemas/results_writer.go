package schemas

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxValidated bounds the bytes of results that are checked against their
// schema while they are written. The check takes many times their size in
// memory and time; what it finds in thousands of experiments it finds in a few.
const maxValidated = 16 << 20

// ResultsWriter writes results.json one experiment after another, so that a log
// of thousands is never held as a whole. The bytes are those of Encode. It is
// not safe for concurrent use.
type ResultsWriter struct {
	catalogue *Catalogue
	spill     io.ReadWriteSeeker
	out       *bufio.Writer
	first     bool
	checked   int
	finding   *jsonschema.Schema
	part      *jsonschema.Schema
	validated error // of compiling the schemas
}

// NewResultsWriter returns a writer that keeps the experiments in spill, an
// empty file, until the verdicts that stand before them are known.
func (c *Catalogue) NewResultsWriter(spill io.ReadWriteSeeker) *ResultsWriter {
	w := &ResultsWriter{catalogue: c, spill: spill, out: bufio.NewWriterSize(spill, 1<<16), first: true}
	var faults [2]error
	w.finding, faults[0] = c.compile("results", "#/$defs/Finding")
	w.part, faults[1] = c.compile("results", "#/$defs/Experiment")
	w.validated = errors.Join(faults[:]...)
	return w
}

// Add writes the next experiment. The first experiments are checked against
// their schema. The error has ErrInvalid in its chain where the experiment
// cannot be part of a results.json; every other error is of the spill.
func (w *ResultsWriter) Add(e *Experiment) error {
	b, err := w.encode(e, w.part)
	if err != nil {
		return err
	}
	separator := ",\n    "
	if w.first {
		separator, w.first = "\n    ", false
	}
	if _, err = w.out.WriteString(separator); err != nil {
		return err
	}
	_, err = w.out.Write(b)
	return err
}

// Finish writes the document to out: head, whose own experiments are not looked
// at, and every experiment that was added. Errors are as of Add, or of out.
func (w *ResultsWriter) Finish(out io.Writer, head *Results) error {
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
func (w *ResultsWriter) head(head *Results) (start []byte, claims []Finding, rest []byte, err error) {
	bare := *head
	bare.Claims, bare.Experiments = nil, nil
	b, err := Encode(&bare)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", ErrInvalid, err)
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
func (w *ResultsWriter) encode(v any, schema *jsonschema.Schema) ([]byte, error) {
	b, err := encodeBelow(v, "    ")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if w.validated != nil {
		return nil, w.validated
	}
	if w.checked += len(b); w.checked <= maxValidated {
		err = conforms(schema, "results", b)
	}
	return bytes.TrimSuffix(b, []byte("\n")), err
}

func (w *ResultsWriter) copyTo(out io.Writer) error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := w.spill.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(out, w.spill)
	return err
}
