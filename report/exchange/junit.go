package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"banditaudit/schemas"
)

// JUnit writes claims as JUnit XML: one suite for each experiment, one
// case for each claim, whose class names experiment and kind, so that no two cases share
// class and name. VIOLATED is a failure, NOT ESTABLISHED and NOT RUN are errors, NOT
// APPLICABLE is skipped; an advisory claim that does not hold is skipped, with the
// verdict as message. The same claims give the same bytes: every time is 0, and there is
// no clock and no host. A character that XML 1.0 has not is written as U+FFFD.
//
// Suites are kept until their numbers, which stand before them, are known.
type JUnit struct {
	kept io.WriterTo
	body *bufio.Writer
	all  tally
}

// keeper keeps what is written to it, and writes it out once.
type keeper interface {
	io.Writer
	io.WriterTo
}

// NewJUnit begins without claims.
func NewJUnit(kept keeper) *JUnit { return &JUnit{kept: kept, body: bufio.NewWriter(kept)} }

// Add writes the next claims; the claims of an experiment come together.
func (j *JUnit) Add(claims []schemas.Finding) error {
	for start := 0; start < len(claims); {
		end := start
		for end < len(claims) && claims[end].Experiment == claims[start].Experiment {
			end++
		}
		j.all.add(suite(j.body, claims[start:end]))
		start = end
	}
	_, err := j.body.Write(nil) // the error of an earlier one
	return err
}

// Finish writes the document of a tool.
func (j *JUnit) Finish(w io.Writer, tool string) error {
	if err := j.body.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"%s\"%s>\n", escaped(tool), &j.all); err != nil {
		return err
	}
	if _, err := j.kept.WriteTo(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "</testsuites>\n")
	return err
}

// tally counts cases by what became of them.
type tally struct{ tests, failures, errors, skipped int }

func (t *tally) add(o tally) {
	t.tests += o.tests
	t.failures += o.failures
	t.errors += o.errors
	t.skipped += o.skipped
}

// String is the attributes of a suite.
func (t *tally) String() string {
	return fmt.Sprintf(" tests=%q failures=%q errors=%q skipped=%q time=%q", strconv.Itoa(t.tests), strconv.Itoa(t.failures), strconv.Itoa(t.errors), strconv.Itoa(t.skipped), "0")
}

// suite writes the claims of one experiment.
func suite(w io.Writer, claims []schemas.Finding) (t tally) {
	var body bytes.Buffer
	for i := range claims {
		t.add(testcase(&body, &claims[i]))
	}
	fmt.Fprintf(w, "  <testsuite name=\"%s\"%s>\n%s  </testsuite>\n", escaped(claims[0].Experiment), &t, body.Bytes())
	return t
}

// testcase writes one claim.
func testcase(w io.Writer, c *schemas.Finding) tally {
	fmt.Fprintf(w, "    <testcase classname=\"%s\" name=\"%s\" time=\"0\"", escaped(class(c)), escaped(c.ID))
	word, t := outcome(c)
	if word == "" {
		fmt.Fprint(w, "/>\n")
		return t
	}
	fmt.Fprintf(w, ">\n      <%s message=\"%s\">%s</%s>\n    </testcase>\n", word, escaped(string(c.Verdict)), escaped(cmp.Or(c.Reason, c.Observed, c.Statement)), word)
	return t
}

// class is the kind of a claim behind its experiment.
func class(c *schemas.Finding) string { return c.Experiment + "." + c.Kind }

// outcome is the element of a verdict; "" for one that holds.
func outcome(c *schemas.Finding) (string, tally) {
	t := tally{tests: 1}
	switch {
	case c.Verdict == schemas.Verified || c.Verdict == schemas.Consistent:
		return "", t
	case c.Verdict == schemas.NotApplicable || c.Severity != schemas.SeverityRequired:
		t.skipped = 1
		return "skipped", t
	case c.Verdict == schemas.Violated:
		t.failures = 1
		return "failure", t
	}
	t.errors = 1
	return "error", t
}

// escaped is text as it stands between quotes or tags.
func escaped(text string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		return "" // a buffer takes everything
	}
	return b.String()
}
