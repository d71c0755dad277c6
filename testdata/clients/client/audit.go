package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// refused is the exit code of a log that breaks a rule.
const refused = 4

// Found is what an audit says of a log.
type Found struct {
	Refused                 bool // exit 4: the log breaks a rule
	Conformance, Allocation schemas.Verdict
	Why                     string // the reason of the first that contradicts, else of conformance where it was in question, else of the allocation
}

// Violated reports whether the audit contradicts the log.
func (f *Found) Violated() bool {
	return f.Conformance == schemas.Violated || f.Allocation == schemas.Violated
}

// Words are the verdicts that were in question.
func (f *Found) Words() string {
	if f.Refused {
		return "refused"
	}
	var out []string
	if f.Conformance != schemas.NotApplicable {
		out = append(out, "conformance "+string(f.Conformance))
	}
	if f.Allocation != schemas.NotApplicable {
		out = append(out, "allocation "+string(f.Allocation))
	}
	if len(out) == 0 {
		return "nothing to hold it against"
	}
	return strings.Join(out, ", ")
}

// Auditor runs the command audit.
type Auditor struct {
	Tool string   // the path of banditaudit
	Dir  string   // for its files
	More []string // flags, as --allow-exec
}

// Build makes an auditor: the program of the directory in which it is called.
func Build(ctx context.Context, dir string) (*Auditor, error) {
	a := &Auditor{Tool: filepath.Join(dir, "banditaudit"), Dir: dir}
	if said, err := exec.CommandContext(ctx, "go", "build", "-o", a.Tool, "banditaudit/cmd/banditaudit").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, said)
	}
	return a, nil
}

// Audit audits a log; part names its files, beside those of other logs.
func (a *Auditor) Audit(ctx context.Context, c *Case, part string) (*Found, error) {
	at := filepath.Join(a.Dir, c.Name+"-"+part)
	log, bundle := at+".parquet", at+".audit"
	if err := parquet.WriteFile(log, c.Rows); err != nil {
		return nil, err
	}
	args := append([]string{"audit", "-p", c.Protocol, "-j", "1", "--force", "--fail-on", "never", "-o", bundle}, a.More...)
	said, err := exec.CommandContext(ctx, a.Tool, append(args, log)...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == refused:
		return &Found{Refused: true}, os.Remove(log)
	case err != nil:
		return nil, fmt.Errorf("%s, %s: %w\n%s", c.Name, part, err, said)
	}
	text, err := os.ReadFile(filepath.Join(bundle, "results.json"))
	if err != nil {
		return nil, err
	}
	var results struct {
		Claims []schemas.Finding `json:"claims"`
	}
	if err = json.Unmarshal(text, &results); err != nil {
		return nil, err
	}
	return of(results.Claims), errors.Join(os.Remove(log), os.RemoveAll(bundle))
}

// of reads the claims.
func of(claims []schemas.Finding) *Found {
	out := &Found{Conformance: schemas.NotApplicable, Allocation: schemas.NotApplicable}
	var conformance, allocation string
	for i := range claims {
		switch f := &claims[i]; f.Kind {
		case schemas.KindConformance:
			out.Conformance, conformance = f.Verdict, f.Reason
		case schemas.KindAllocation:
			out.Allocation, allocation = f.Verdict, f.Reason
		}
	}
	out.Why = conformance
	if out.Conformance == schemas.NotApplicable || out.Allocation == schemas.Violated && out.Conformance != schemas.Violated {
		out.Why = allocation
	}
	return out
}
