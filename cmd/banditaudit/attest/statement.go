package attest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"banditaudit/schemas"
)

const (
	statementType = "https://in-toto.io/Statement/v1"
	// AuditType is the predicate that says what an audit found.
	AuditType = "urn:banditaudit:audit:v1"
	// CommitmentType is the predicate that holds a protocol before the first round.
	CommitmentType = "urn:banditaudit:commitment:v1"
	// ProtocolFile is the name under which a protocol is a subject.
	ProtocolFile = "protocol.effective.yaml"
)

// ErrStatement says that a payload is not the statement that is expected.
var ErrStatement = errors.New("not such a statement")

// statement is an in-toto Statement v1. It has no clock and no host: making it twice
// gives the same bytes.
type statement[P any] struct {
	Type          string    `json:"_type"`
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     P         `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// subjects are files by their digests.
func subjects(files []Entry) []subject {
	out := make([]subject, len(files))
	for i, f := range files {
		out[i] = subject{f.Name, map[string]string{"sha256": f.SHA256}}
	}
	return out
}

// state is a statement as bytes.
func state[P any](predicateType string, files []Entry, predicate P) ([]byte, error) {
	return line(statement[P]{statementType, subjects(files), predicateType, predicate})
}

// audited is the predicate of an audit.
type audited struct {
	Protocol string       `json:"protocolSha256"` // of protocol.effective.yaml
	RunID    string       `json:"runId"`
	Tool     schemas.Tool `json:"tool"`
	Inputs   []input      `json:"inputs"`
	Overall  string       `json:"overall"`
	Cautions int          `json:"cautions"`
	Claims   []verdict    `json:"claims"`
}

type input struct {
	URI    string `json:"uri"`
	Bytes  whole  `json:"bytes"`
	Rows   whole  `json:"rows"`
	SHA256 string `json:"sha256"`
}

type verdict struct {
	ID         string          `json:"id"`
	Experiment string          `json:"experiment"`
	Kind       string          `json:"kind"`
	Severity   string          `json:"severity"`
	Verdict    schemas.Verdict `json:"verdict"`
}

// whole is a whole number, which beyond 2^53 is written as a string, for readers of
// JSON that know floats only.
type whole int64

// MarshalJSON writes digits, in quotes beyond 2^53.
func (w whole) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatInt(int64(w), 10)
	if w > 1<<53 || w < -(1<<53) {
		digits = `"` + digits + `"`
	}
	return []byte(digits), nil
}

// Audit is the statement about a bundle: files are the entries of its checksums.txt,
// without files of volatile names, head is what stands around claims and experiments of its
// results.json, and claims visits the claims, of which every verdict is held. The error
// says that the bundle has no protocol.effective.yaml, or comes from claims.
func Audit(files []Entry, head *schemas.Results, claims func(visit func(*schemas.Finding) error) error, volatile ...string) ([]byte, error) {
	files = slices.DeleteFunc(slices.Clone(files), func(f Entry) bool { return slices.Contains(volatile, f.Name) })
	i := slices.IndexFunc(files, func(f Entry) bool { return f.Name == ProtocolFile })
	if i < 0 {
		return nil, fmt.Errorf("%w: the bundle has no %s", ErrStatement, ProtocolFile)
	}
	p := audited{
		Protocol: files[i].SHA256, RunID: head.RunID, Tool: head.Tool, Overall: head.Overall, Cautions: head.Cautions,
		Inputs: []input{}, Claims: []verdict{},
	}
	for _, in := range head.Inputs {
		p.Inputs = append(p.Inputs, input{in.URI, whole(in.Bytes), whole(in.Rows), in.SHA256})
	}
	err := claims(func(c *schemas.Finding) error {
		p.Claims = append(p.Claims, verdict{c.ID, c.Experiment, c.Kind, c.Severity, c.Verdict})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return state(AuditType, files, p)
}

// Mismatch says in words how a payload differs from the statement about a bundle: what
// it is, or which files have other digests; "" where it does not.
func Mismatch(payload, want []byte) string {
	if bytes.Equal(payload, want) {
		return ""
	}
	var got, own statement[json.RawMessage]
	if err := json.Unmarshal(payload, &got); err != nil || json.Unmarshal(want, &own) != nil {
		return "its payload is no statement"
	}
	if got.PredicateType != own.PredicateType {
		return "it signs another kind of statement, " + schemas.Quoted(got.PredicateType)
	}
	digests := map[string]string{}
	for _, s := range got.Subject {
		digests[s.Name] = s.Digest["sha256"]
	}
	for _, s := range own.Subject {
		if digests[s.Name] != s.Digest["sha256"] {
			return "it signs another " + schemas.Quoted(s.Name)
		}
		delete(digests, s.Name)
	}
	if len(digests) > 0 {
		return "it signs a file that is not there, " + schemas.Quoted(slices.Min(slices.Collect(maps.Keys(digests))))
	}
	return "it says something else of these files"
}

// committed is the predicate of a commitment.
type committed struct {
	Protocol string       `json:"protocol"` // the text of protocol.effective.yaml
	Tool     schemas.Tool `json:"tool"`
}

// Commitment is the statement that holds a protocol: the text of the effective protocol,
// whole, with its digest as the subject.
func Commitment(protocol []byte, tool schemas.Tool) ([]byte, error) {
	return state(CommitmentType, []Entry{{ProtocolFile, digestOf(protocol)}}, committed{string(protocol), tool})
}

// Committed reads a commitment: the text of the protocol, and the tool that wrote it. It
// takes nothing but what Commitment writes; the error is an ErrStatement.
func Committed(payload []byte) (protocol []byte, tool schemas.Tool, err error) {
	var s statement[committed]
	if err = exact(payload, &s); err != nil {
		return nil, tool, fmt.Errorf("%w: %w", ErrStatement, err)
	}
	protocol = []byte(s.Predicate.Protocol)
	again, err := Commitment(protocol, s.Predicate.Tool)
	if err != nil || !bytes.Equal(again, payload) {
		return nil, tool, fmt.Errorf("%w: it is no commitment, or its digest is not that of its protocol", ErrStatement)
	}
	return protocol, s.Predicate.Tool, nil
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
