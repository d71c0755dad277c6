package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/banditlab/pages"
	"banditaudit/cmd/kit"
)

// keptReproduction is testdata/reproduce/PAPER.json, kept from a full run.
func keptReproduction(t *testing.T) *documents.Reproduction {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "testdata", "reproduce", "PAPER.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := documents.DecodeReproduction(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKeptReproduction: the kept reproduction has the form of its schema, all
// experiments at full size and every gate, and the page and figures beside it
// are those that its numbers give.
func TestKeptReproduction(t *testing.T) {
	r := keptReproduction(t)
	if all, failed := pages.Gates(r); r.Size != "full" || len(r.Experiments) != 5 || len(failed) > 0 || all < 30 {
		t.Errorf("size %s, %d experiments, %d gates, failed: %v", r.Size, len(r.Experiments), all, failed)
	}
	var page bytes.Buffer
	if err := pages.Reproduction(&page, r); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(root, "testdata", "reproduce", "PAPER.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(kept), page.String()) || len(kept)-page.Len() > 1000 {
		t.Error("PAPER.md does not end in the page of PAPER.json; run testdata/reproduce/paper.sh")
	}
	files, err := pages.ReproductionFigures(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		kept, err := os.ReadFile(filepath.Join(root, "testdata", "reproduce", f.Name))
		if err != nil || !bytes.Equal(kept, f.Data) {
			t.Errorf("testdata/reproduce/%s is not the figure of PAPER.json (%v); run testdata/reproduce/paper.sh", f.Name, err)
		}
	}
}

// TestReproductionGate: a gate that is not passed is named in the summary.
func TestReproductionGate(t *testing.T) {
	r := &documents.Reproduction{Experiments: []documents.PaperExperiment{{Gates: []documents.PaperGate{{What: "E9: a number", Value: 2, Hi: 1}}}}}
	var b bytes.Buffer
	if err := printReproduction(&b, "d/reproduce.md", r); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "NOT PASSED: E9: a number: 2 outside [0, 1]") || !strings.Contains(got, "0 of 1 gates passed") {
		t.Errorf("%s", got)
	}
	if err := passed(r); kit.ExitCode(t.Context(), err) != kit.ExitExceptions {
		t.Errorf("exit code of %v", err)
	}
	r.Experiments[0].Gates[0].Passed = true
	if err := passed(r); err != nil {
		t.Errorf("all are passed: %v", err)
	}
}
