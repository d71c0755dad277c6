package shard

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"banditaudit/analyze/decide/aggregate"
)

// Writer writes a fragment, one outcome after another. The same outcomes give the same
// bytes. It is not safe for concurrent use.
type Writer struct {
	to   *bufio.Writer
	sum  hash.Hash
	text bytes.Buffer
	end  end
	err  error
}

// line is one that is neither the head nor an outcome.
type line struct {
	Outcome *entry `json:"outcome,omitempty"`
	End     *end   `json:"end,omitempty"`
}

// entry stands before an outcome and says what it is of.
type entry struct {
	Index int    `json:"index"` // of the experiment in the log, from 0; in a part that an engine shuffled, in that
	ID    string `json:"id"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"` // of the outcome, which follows, with the end of its line

	Prints []string `json:"prints,omitempty"`
}

// end is the last line.
type end struct {
	Experiments int    `json:"experiments"`
	Rows        int64  `json:"rows"`
	SHA256      string `json:"sha256"` // of all lines before this one, lower-case hex
}

// NewWriter begins a fragment. Finish returns the errors of to.
func NewWriter(to io.Writer, head *Head) *Writer {
	w := &Writer{to: bufio.NewWriterSize(to, 1<<16), sum: sha256.New()}
	w.line(head)
	w.write()
	return w
}

// Add writes the outcome of an experiment, which stands at index in the log and has so
// many rows there. Prints are what its noise is known again by in another experiment, where
// the fragment is of a part in which the others are not.
func (w *Writer) Add(index int, rows int64, o *aggregate.Outcome, prints ...string) error {
	w.line(outcomeOf(o))
	text := bytes.Clone(w.text.Bytes())
	w.text.Reset()
	w.line(line{Outcome: &entry{index, o.Experiment.ID, rows, int64(len(text)), prints}})
	w.text.Write(text)
	w.end.Experiments++
	w.end.Rows += rows
	w.write()
	return w.err
}

// Finish writes the end.
func (w *Writer) Finish() error {
	w.end.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	w.line(line{End: &w.end})
	w.write()
	if w.err == nil {
		w.err = w.to.Flush()
	}
	return w.err
}

// line puts a value into the text that is written next.
func (w *Writer) line(v any) {
	e := json.NewEncoder(&w.text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil && w.err == nil {
		w.err = fmt.Errorf("shard: %w", err)
	}
}

func (w *Writer) write() {
	w.sum.Write(w.text.Bytes())
	if w.err == nil {
		_, w.err = w.to.Write(w.text.Bytes())
	}
	w.text.Reset()
}
