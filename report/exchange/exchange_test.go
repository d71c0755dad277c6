package exchange_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"banditaudit/report/exchange"
	"banditaudit/schemas"
)

// verdicts are claims of every verdict, required and advisory, in two experiments.
func verdicts() *schemas.Results {
	r := &schemas.Results{Tool: schemas.Tool{Name: "banditaudit", Version: "1"}, RunID: strings.Repeat("a", 64), Inputs: []schemas.Input{{URI: "log.parquet", SHA256: "d"}}}
	for _, severity := range []string{schemas.SeverityRequired, schemas.SeverityAdvisory} {
		for _, v := range []schemas.Verdict{schemas.Verified, schemas.Consistent, schemas.Violated, schemas.NotEstablished, schemas.NotRun, schemas.NotApplicable} {
			r.Claims = append(r.Claims, schemas.Finding{ID: string(v), Experiment: severity, Kind: "k", Severity: severity, Verdict: v, Reason: "a<b \x00\xff\ufffe\"&\n"})
		}
	}
	return r
}

// Every verdict is the element that it has to be, and the text is XML 1.0.
func TestJUnit(t *testing.T) {
	var b, again bytes.Buffer
	write := func(to *bytes.Buffer) error {
		j := exchange.NewJUnit(new(bytes.Buffer))
		return errors.Join(j.Add(verdicts().Claims), j.Finish(to, "banditaudit"))
	}
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if err := write(&again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("%v: two writings differ", err)
	}
	type element struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var doc struct {
		Tests, Failures, Errors, Skipped int `xml:",attr"`
		Suites                           []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Class   string   `xml:"classname,attr"`
				Name    string   `xml:"name,attr"`
				Time    string   `xml:"time,attr"`
				Failure *element `xml:"failure"`
				Error   *element `xml:"error"`
				Skipped *element `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	text := strings.NewReplacer("tests=", "Tests=", "failures=", "Failures=", "errors=", "Errors=", "skipped=", "Skipped=").Replace(b.String())
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if doc.Tests != 12 || doc.Failures != 1 || doc.Errors != 2 || doc.Skipped != 5 || len(doc.Suites) != 2 {
		t.Errorf("%+v", doc)
	}
	want := []string{"", "", "failure", "error", "error", "skipped", "", "", "skipped", "skipped", "skipped", "skipped"}
	seen := map[string]bool{}
	for s, suite := range doc.Suites {
		for i, c := range suite.Cases {
			if seen[c.Class+" "+c.Name] || c.Class != suite.Name+".k" {
				t.Errorf("%s of class %s stands twice, or in another class", c.Name, c.Class)
			}
			seen[c.Class+" "+c.Name] = true
			got := ""
			for name, e := range map[string]*element{"failure": c.Failure, "error": c.Error, "skipped": c.Skipped} {
				if e == nil {
					continue
				}
				got = name
				if e.Message != c.Name || e.Text != "a<b \ufffd\ufffd\ufffd\"&\n" {
					t.Errorf("%s: %+v", c.Name, e)
				}
			}
			if got != want[6*s+i] || c.Time != "0" {
				t.Errorf("%s of %s is %q, want %q", c.Name, suite.Name, got, want[6*s+i])
			}
		}
	}
}

// The event names the run by the UUID of its id, and the inputs by their digests.
func TestOpenLineage(t *testing.T) {
	b, err := json.Marshal(exchange.OpenLineage(verdicts(), exchange.Asserted(verdicts().Claims), "2026-01-02T03:04:05Z", "/out"))
	if err != nil {
		t.Fatal(err)
	}
	// python3 -c "import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, 'a' * 64))"
	for _, want := range []string{`"runId":"37a282a8-9bf9-58e8-af1a-344d9b593c37"`, `"eventTime":"2026-01-02T03:04:05Z"`, `"datasetVersion":"d"`, `{"assertion":"required.k.VIOLATED","success":false}`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is not in %s", want, b)
		}
	}
}
