package bundle

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/kit/layout"
	"banditaudit/schemas"
)

// Verification is what verify found; with --json it is printed.
type Verification struct {
	Schema     string          `json:"schema"`
	Bundle     string          `json:"bundle"`
	Files      int             `json:"files"`
	Changes    []attest.Change `json:"changes"`
	Unread     []unread        `json:"unread"` // documents of which nothing is known
	Signatures Signatures      `json:"signatures"`
	Commitment committedIn     `json:"commitment"`
	Recomputed recomputed      `json:"recomputed"`
	Audit      outcome         `json:"audit"`
	Overall    string          `json:"overall"` // of the verification, not of the audit
}

// outcome is what the audit came to, as results.json says; "" where it cannot be read.
type outcome struct {
	Overall   string          `json:"overall"`
	Committed schemas.Verdict `json:"committed"` // on protocol.committed; "" where there is no such claim
}

// Signatures describes the signatures in the envelope beside a bundle.
type Signatures struct {
	Envelope  bool     `json:"envelope"`  // there is one
	Threshold int      `json:"threshold"` // 0: no key was given, and none is judged
	Signers   []string `json:"signers"`   // ids of the given keys that signed
	Others    []string `json:"others"`    // ids that the envelope names beside them; not judged
	Fault     string   `json:"fault"`     // why the signatures do not hold; "" where they do

	limit bool // they were not judged: that would take more memory than is allowed
}

// States of a recomputation.
const (
	notAsked  = "not asked" // no log was given
	equal     = "equal"
	different = "different"
)

// recomputed is what came of making an audit again.
type recomputed struct {
	State       string      `json:"state"` // not asked | equal | different | NOT RUN
	Reason      string      `json:"reason"`
	Files       int         `json:"files"`
	Differences []differing `json:"differences"`
	from        string      // what it was made from, in words
}

// Check is what verify is asked.
type Check struct {
	Keys, Committers []ed25519.PublicKey // of signers, and of who signed the commitment
	Threshold        int                 // of signers
	Logs             []string            // the log, or its fragments; nil: nothing is made again
	Fragments        bool                // logs are fragments
	Protocol         string              // with which the audit is made again; "": the bundle's own
	AllowExec        bool
	Memory           int64

	Audit, Merge func(ctx context.Context, w *Remake) error // make the bundle again
}

// Verify judges the bundle.
func (b *Dir) Verify(ctx context.Context, asked *Check) (*Verification, error) {
	b.fragments = asked.Fragments
	b.Read(asked.Memory)
	v := &Verification{
		Schema: "verify.v1", Bundle: filepath.Base(b.Dir), Files: len(b.files), Changes: b.Unlike(),
		Recomputed: recomputed{State: notAsked, Differences: []differing{}},
	}
	v.Unread, v.Audit = slices.Concat([]unread{}, b.unread), b.audit
	var err error
	if v.Signatures, err = b.Signed(asked.Keys, asked.Threshold); err != nil {
		return nil, err
	}
	v.Commitment = b.committed(asked.Committers)
	if len(asked.Logs) > 0 {
		v.Recomputed, err = b.again(ctx, asked)
		if err != nil && (v.faults() == 0 || errors.Is(err, context.Canceled)) {
			return nil, err
		}
	}
	v.Overall = v.Outcome().String()
	return v, nil
}

// Outcome is what the verification came to.
func (v *Verification) Outcome() schemas.Overall {
	overall := schemas.Overall{Violated: v.faults(), Open: len(v.Unread) + v.unjudged()}
	if v.Recomputed.State == string(schemas.NotRun) {
		overall.Open++
	}
	return overall
}

// Limited reports whether something was not judged for want of memory.
func (v *Verification) Limited() bool {
	return slices.ContainsFunc(v.Unread, func(u unread) bool { return u.limit }) || v.unjudged() > 0
}

// faults is how many things do not hold.
func (v *Verification) faults() int {
	n := len(v.Changes) + len(v.Recomputed.Differences)
	if v.Signatures.Fault != "" && !v.Signatures.limit {
		n++
	}
	if v.Commitment.Fault != "" && !v.Commitment.limit {
		n++
	}
	return n
}

// unjudged is how many things were to be judged and were not, for want of memory, beside
// documents.
func (v *Verification) unjudged() int {
	n := 0
	for _, limit := range []bool{v.Signatures.limit, v.Commitment.limit} {
		if limit {
			n++
		}
	}
	return n
}

// Words says it for a terminal.
func (v *Verification) Words(b *strings.Builder) {
	if len(v.Changes) == 0 {
		fmt.Fprintf(b, "checksums: %s as checksums.txt lists them\n", schemas.Counted(v.Files, "file"))
	}
	for _, c := range v.Changes {
		fmt.Fprintf(b, "checksums: %s: %s%s\n", schemas.Printable(c.Name), c.What, schemas.Printable(strings.TrimSuffix(", "+c.Why, ", ")))
	}
	for _, u := range v.Unread {
		fmt.Fprintf(b, "not read: %s: %s\n", schemas.Printable(u.Name), schemas.Printable(u.Why))
	}
	fmt.Fprintf(b, "signatures: %s\n", layout.Printable(v.Signatures.words()))
	if c := &v.Commitment; c.There || c.Fault != "" {
		fmt.Fprintf(b, "commitment: %s\n", layout.Printable(c.words()))
	}
	v.Recomputed.words(b)
	fmt.Fprintf(b, "\nthe audit, as results.json says: %s\nthe verification: %s\n", layout.Printable(v.Audit.words()), v.Overall)
}

// words says what came of the recomputation.
func (r *recomputed) words(b *strings.Builder) {
	switch r.State {
	case notAsked:
		fmt.Fprintf(b, "recomputation: not asked; give the log to make the audit again\n")
	case equal:
		fmt.Fprintf(b, "recomputation: %s made again from %s, byte for byte the same%s\n", schemas.Counted(r.Files, "file"), r.from, strings.TrimSuffix("; "+r.Reason, "; "))
	case string(schemas.NotRun):
		fmt.Fprintf(b, "recomputation: NOT RUN: %s\n", layout.Printable(r.Reason))
	}
	for _, d := range r.Differences {
		fmt.Fprintf(b, "recomputation: %s\n", layout.Printable(d.words()))
	}
}

// words says what the audit came to.
func (o *outcome) words() string {
	switch {
	case o.Overall == "":
		return "it cannot be read"
	case o.Committed != "":
		return fmt.Sprintf("%s; %s is %s", o.Overall, schemas.KindCommitted, o.Committed)
	}
	return o.Overall
}

// words says what is known of the signatures.
func (s *Signatures) words() string {
	others := ""
	if len(s.Others) > 0 {
		others = "; not judged, for their keys were not given: " + strings.Join(s.Others, ", ")
	}
	switch {
	case s.Fault != "":
		return layout.Printable(s.Fault)
	case !s.Envelope:
		return "none, and no key was given"
	case s.Threshold == 0:
		return "an envelope is there; give --key to judge it; it names " + strings.Join(s.Others, ", ")
	}
	return fmt.Sprintf("%d good, %d needed: %s%s", len(s.Signers), s.Threshold, strings.Join(s.Signers, ", "), others)
}
