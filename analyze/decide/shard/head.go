package shard

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"

	"banditaudit/schemas"
)

// Schema is the value of Head.Schema.
const Schema = "fragment.v1"

// Part is which experiments of a log a fragment holds: I of N, from 0. The zero value, 0
// of 0, is a part that an engine shuffled, which may hold any.
type Part struct {
	I int `json:"part"`
	N int `json:"of"`
}

// String is the part as --part takes it.
func (p Part) String() string { return fmt.Sprintf("%d/%d", p.I, p.N) }

// Shuffled reports whether an engine made the part.
func (p Part) Shuffled() bool { return p == Part{} }

// Owns reports whether an experiment belongs to the part: the first 8 bytes of the
// SHA-256 of its id, the largest first, leave I when divided by N. No part has to know
// the experiments of another one.
func (p Part) Owns(id string) bool {
	if p.Shuffled() {
		return true
	}
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:8])%uint64(p.N) == uint64(p.I) //nolint:gosec // 0 ≤ I < N
}

// Head is what the outcomes of a fragment are functions of, beside the rows of their
// experiments.
type Head struct {
	Schema string       `json:"schema" schema:"const=fragment.v1"`
	Tool   schemas.Tool `json:"tool"`
	Part
	Protocol    string              `json:"protocol_sha256" schema:"sha256"` // of the effective protocol, lower-case hex
	Log         string              `json:"log_sha256" schema:"sha256"`      // LogDigest of Inputs; of a part that an engine shuffled, SHA-256 of log.json as census writes it
	Seed        bool                `json:"seed"`                            // the seed of the policy was at hand, of which the effective protocol holds the digest
	Exec        bool                `json:"exec"`                            // the program of the policy was run
	Commitment  *schemas.Commitment `json:"commitment"`                      // that the protocol was held against; null: none
	Experiments int                 `json:"experiments"`                     // of the log
	Inputs      []schemas.Input     `json:"inputs"`                          // of the log, by uri; none of a part that an engine shuffled, since log.json has them
	// Reading is how the columns of a shuffled part were read, in sentences: what one audit
	// decides for all files. It is absent where no row was read.
	Reading []string `json:"reading,omitempty"`
}

// LogDigest is the SHA-256 of the list of a log's files, in lower-case hex: by line
// bytes, rows, SHA-256 and uri.
func LogDigest(inputs []schemas.Input) string {
	h := sha256.New()
	for _, in := range inputs {
		fmt.Fprintf(h, "%d %d %s %q\n", in.Bytes, in.Rows, in.SHA256, in.URI)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Rows is how many rows the files of the log have.
func (h *Head) Rows() int64 {
	n := int64(0)
	for _, in := range h.Inputs {
		n += in.Rows
	}
	return n
}

// Foreign says why a fragment cannot be of one audit with h, whatever its part; "" where
// it can.
func (h *Head) Foreign(o *Head) string {
	switch {
	case h.Tool != o.Tool:
		return fmt.Sprintf("it was made by %s %s, not by %s %s", schemas.Printable(o.Tool.Name), schemas.Printable(o.Tool.Version), h.Tool.Name, h.Tool.Version)
	case h.Protocol != o.Protocol:
		return "it was made under another protocol: the SHA-256 of its effective protocol is " + schemas.Printable(o.Protocol) + ", not " + h.Protocol
	case h.Shuffled() != o.Shuffled():
		return "it is a fragment of audit " + map[bool]string{true: "--log, which merge puts together with --log log.json", false: "--part, which merge takes without --log"}[o.Shuffled()]
	case h.Log != o.Log || h.Experiments != o.Experiments:
		return "it is of another log: the SHA-256 of " + map[bool]string{true: "its log.json", false: "its list of files"}[o.Shuffled()] + " is " + schemas.Printable(o.Log) + ", not " + h.Log
	case h.Seed != o.Seed || h.Exec != o.Exec:
		return "it was made with other evidence: the seed or the program of the policy was at hand for one and not for the other"
	case !reflect.DeepEqual(h.Commitment, o.Commitment):
		return "it was made under another commitment"
	}
	return ""
}
