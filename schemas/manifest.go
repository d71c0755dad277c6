package schemas

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"time"
)

// ManifestSchema is the value of Manifest.Schema.
const ManifestSchema = "manifest.v1"

// Manifest is manifest.json: what was read, and how rounds.arrow is laid out.
// It discloses no reward.
type Manifest struct {
	Schema      string               `json:"schema" schema:"const=manifest.v1"` // always ManifestSchema
	Tool        Tool                 `json:"tool"`
	Inputs      []Input              `json:"inputs"` // by uri, bytewise
	Rows        int64                `json:"rows"`
	Arms        []string             `json:"arms" schema:"unique"` // labels in index order
	Declared    bool                 `json:"declared"`             // arms were declared; otherwise K is a lower bound
	Reward      RewardColumn         `json:"reward"`
	Context     []string             `json:"context"`                                                   // names of x0… in order; a dummy is "column=level"
	ByArm       ByArm                `json:"by_arm"`                                                    // values per arm of the columns by arm
	Targets     []TargetColumn       `json:"targets,omitempty"`                                         // columns of evaluated policies, in the order of their values in a row; absent where there are none
	Hash        string               `json:"hash,omitempty" schema:"words=growthbook-v1|growthbook-v2"` // that gives units their positions; absent where none is declared
	Columns     []ColumnInfo         `json:"columns"`                                                   // how each log column was read
	Experiments []ManifestExperiment `json:"experiments"`
	Counts      []Exclusion          `json:"counts"`                                                          // by reason: "reward clipped to range", "reward missing", …
	Missing     string               `json:"missing_reward" schema:"words=error|exclude|exclude-independent"` // error | exclude | exclude-independent, as declared
	Order       []string             `json:"order"`
	Time        bool                 `json:"time"`                                            // rounds.arrow has the first order column as times
	Protocol    string               `json:"protocol_sha256" schema:"sha256"`                 // Protocol.LogDigest of the declaration it was read under
	SHA256      string               `json:"sha256" schema:"sha256"`                          // of rounds.arrow, lower-case hex
	Units       string               `json:"units_sha256" schema:"pattern=^([0-9a-f]{64})?$"` // of units.arrow, lower-case hex; "" where no unit is declared
	Digest      string               `json:"manifest_sha256" schema:"sha256"`                 // of this document with an empty manifest_sha256, lower-case hex
}

// ByArm are the values that a row has for every arm; 0 where the protocol does
// not declare the column.
type ByArm struct {
	Context  int `json:"context"`  // of context_by_arm
	Released int `json:"released"` // of released_by_arm
}

// TargetColumn is a column of the log that holds probabilities of an evaluated policy.
type TargetColumn struct {
	Column  string `json:"column"`
	AllArms bool   `json:"all_arms"` // lists of those of all arms; else that of the played arm
}

// Width is how many values a row has, of so many arms.
func (t *TargetColumn) Width(arms int) int {
	if t.AllArms {
		return arms
	}
	return 1
}

// Reasons for which rows are counted.
const (
	ReasonAll     = "eligible null (all arms)"        // a null list of eligible arms is read as all of them
	ReasonClipped = "reward clipped to range"         // moved to the nearer end of the declared range
	ReasonMissing = "reward missing"                  // null; the row leaves every estimate
	ReasonNever   = "reward_order null (never known)" // a null time is read as a reward that never became known
)

// RewardColumn says how the reward was typed in the log.
type RewardColumn struct {
	Type  string     `json:"type" schema:"words=bool|int|float"` // bool | int | float
	Range [2]float64 `json:"range"`
}

// CastRewards is what makes rewards of 0 and 1 be tested as such, where their column is of
// a type that holds other numbers too.
const CastRewards = "cast the column to INT or BOOLEAN, and exact and assignment can apply, which are sharper for 0 and 1"

// Castable reports whether the type alone hides that all rewards may be 0 or 1: the range
// is [0, 1] and the type has fractions.
func (c *RewardColumn) Castable() bool { return c.Type == "float" && c.Range == [2]float64{0, 1} }

// ColumnInfo says what one column of the log turned into.
type ColumnInfo struct {
	Column string `json:"column"`
	Role   string `json:"role"`
	Type   string `json:"type"` // Parquet physical and logical type, in words
	// Unpadded says that the column is an order column of texts, all of which are decimal
	// numbers, of unequal length: byte by byte is not the order of the numbers. Absent
	// where that is not so.
	Unpadded bool `json:"unpadded,omitempty"`
	// Widths and Times are of an order column, and not written: of texts that are numbers
	// how long these are, and whether all values are times.
	Widths string `json:"-"`
	Times  bool   `json:"-"`
}

// Unpadded returns the order columns whose texts are numbers of unequal length.
func (m *Manifest) Unpadded() []string {
	var out []string
	for i := range m.Columns {
		if c := &m.Columns[i]; c.Unpadded {
			out = append(out, c.Column)
		}
	}
	return out
}

// ManifestExperiment is one experiment's slice of rounds.arrow.
type ManifestExperiment struct {
	ID      string `json:"id"`
	Offset  int64  `json:"offset"` // first row
	Rows    int64  `json:"rows"`
	Gaps    int64  `json:"gaps"`    // rows whose single whole-number order key is not the one before plus 1
	Units   int64  `json:"units"`   // distinct units; 0 where no unit is declared
	Batches int64  `json:"batches"` // batches; 0 where no batch is declared
	// UnitsWritten counts the units that are another one's number in another writing: 1.0
	// beside 1. Absent where there are none.
	UnitsWritten int64 `json:"units_written,omitempty"`
	// FirstTime and LastTime are the ends of the first order column that holds times, in UTC
	// by RFC 3339. A time without a zone is taken for UTC. Absent where no column holds times.
	FirstTime string     `json:"first_time,omitempty"`
	LastTime  string     `json:"last_time,omitempty"`
	Counts    []ArmCount `json:"counts"` // by reason and arm, sorted so; none is 0
}

// Span returns first_time and last_time; nil where they are absent, or no times.
func (e *ManifestExperiment) Span() (first, last *string) {
	for _, at := range []string{e.FirstTime, e.LastTime} {
		if _, err := time.Parse(time.RFC3339, at); err != nil {
			return nil, nil
		}
	}
	return &e.FirstTime, &e.LastTime
}

// ArmCount counts the rows of one arm that were clipped, whose reward is missing,
// or that have a null with a meaning of its own, by reason. Where the log has the
// rewards of all arms it counts those of the arm, logged or not.
type ArmCount struct {
	Reason string `json:"reason"`
	Arm    int    `json:"arm"`                         // index
	Rows   int64  `json:"rows" schema:"range=[1,inf)"` // ≥ 1
}

// SealManifest writes m to w as Encode would, but never holds the document in
// memory, and sets m.Digest to what the document carries: the SHA-256 of its own
// bytes with an empty manifest_sha256. A nil list of counts is written as []. Every error comes
// from w.
func SealManifest(w io.Writer, m *Manifest) error {
	sum := sha256.New()
	end, err := writeManifest(io.MultiWriter(w, sum), m)
	if err != nil {
		return err
	}
	sum.Write(append([]byte(`""`), end...)) // a hash takes everything
	m.Digest = hex.EncodeToString(sum.Sum(nil))
	_, err = fmt.Fprintf(w, "%q%s", m.Digest, end)
	return err
}

// WriteManifest writes m to w as Encode would, but never holds the document in
// memory. Errors are those of w.
func WriteManifest(w io.Writer, m *Manifest) error {
	end, err := writeManifest(w, m)
	if err == nil {
		_, err = fmt.Fprintf(w, "%q%s", m.Digest, end)
	}
	return err
}

// Sealed reports an error unless m.Digest is the one that SealManifest gives the
// rest of m.
func (m *Manifest) Sealed() error {
	again := *m
	if err := SealManifest(io.Discard, &again); err != nil {
		return err
	}
	if again.Digest != m.Digest {
		return fmt.Errorf("manifest_sha256 is %s where the document has %q", again.Digest, m.Digest)
	}
	return nil
}

// maxChecked bounds the experiments whose form Validate looks at.
const maxChecked = 1000

// Validate reports every place where a manifest does not have the form of its
// schema; of its experiments it looks at the first thousand.
func (m *Manifest) Validate() error {
	part := *m
	part.Experiments = m.Experiments[:min(len(m.Experiments), maxChecked)]
	b, err := Encode(&part)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return ValidateManifest(b)
}

// writeManifest writes everything before the digest, which is the last member,
// and returns what follows it.
func writeManifest(w io.Writer, m *Manifest) (end []byte, err error) {
	bare := *m
	bare.Arms, bare.Context, bare.Experiments, bare.Digest = nil, nil, nil, ""
	b, err := Encode(&bare)
	if err != nil {
		return nil, err
	}
	out := lists{to: bufio.NewWriterSize(w, 1<<16)}
	b = out.list(b, "arms", m.Arms)
	b = out.list(b, "context", m.Context)
	b = out.list(b, "experiments", m.Experiments)
	const digest = "\n  \"manifest_sha256\": "
	before, after, _ := bytes.Cut(b, []byte(digest))
	out.put(before)
	out.put([]byte(digest))
	return bytes.TrimPrefix(after, []byte(`""`)), cmp.Or(out.err, out.to.Flush())
}

// lists writes long lists of a document, one item at a time.
type lists struct {
	to  *bufio.Writer
	err error
}

func (l *lists) put(b []byte) {
	if l.err == nil {
		_, l.err = l.to.Write(b)
	}
}

// list writes b up to the empty list of a key, and then the list's items;
// it returns the rest of b. A line that begins with two blanks and a key is one
// of the document itself: whatever lies deeper is indented by more.
func (l *lists) list(b []byte, key string, items any) []byte {
	opening := fmt.Appendf(nil, "\n  %q: ", key)
	before, rest, _ := bytes.Cut(b, append(opening, "[]"...))
	l.put(before)
	l.put(opening)
	if l.err == nil {
		l.err = EncodeTo(l.to, items, "  ")
	}
	return rest
}

// CensusSchema is the value of Census.Schema.
const CensusSchema = "census.v1"

// Census is log.json: what a log is made of, whatever parts of it an engine made. Counts of
// files cannot be added up, since an experiment may lie in several; so it has the ids.
type Census struct {
	Schema      string `json:"schema" schema:"const=census.v1"` // always CensusSchema
	Experiments int    `json:"experiments" schema:"range=[0,inf)"`
	// IDs lists the ids of the experiments, in the order of numbers if all are whole numbers,
	// else bytewise. Who knows Experiments may leave them out.
	IDs    []string `json:"ids,omitempty"`
	Inputs []Input  `json:"inputs" schema:"count=[1,inf)"` // by uri, bytewise
}

// DecodeCensus reads a census, and checks what no schema says: by orders the ids of
// experiments. The error has ErrInvalid in its chain where b is none.
func DecodeCensus(b []byte, by func(ids []string) func(a, b string) int) (*Census, error) {
	c, err := decodeAs[Census](none(), "census", b)
	if err != nil {
		return nil, err
	}
	if why := c.fault(by(c.IDs)); why != "" {
		return nil, fmt.Errorf("schemas: census.json: %w: %s", ErrInvalid, why)
	}
	return c, nil
}

// fault says what is wrong with a census that has the form of one; "" where nothing is.
func (c *Census) fault(order func(a, b string) int) string {
	rows := int64(0)
	for i := range c.Inputs {
		in := &c.Inputs[i]
		switch {
		case !fs.ValidPath(in.URI) || in.URI == ".":
			return fmt.Sprintf("the uri %s is no path below a directory", Quoted(in.URI))
		case i > 0 && c.Inputs[i-1].URI >= in.URI:
			return fmt.Sprintf("inputs are not by uri, each once: %s stands behind %s", Quoted(in.URI), Quoted(c.Inputs[i-1].URI))
		case in.Rows > math.MaxInt64-rows:
			return "its inputs have more than 2^63 rows"
		}
		rows += in.Rows
	}
	switch {
	case int64(c.Experiments) > rows:
		return fmt.Sprintf("it has %s and %s", Counted(c.Experiments, "experiment"), Counted(rows, "row"))
	case len(c.IDs) > 0 && len(c.IDs) != c.Experiments:
		return fmt.Sprintf("it has %s and %s", Counted(c.Experiments, "experiment"), Counted(len(c.IDs), "id"))
	case slices.Contains(c.IDs, ""):
		return "an id is empty"
	}
	for i := 1; i < len(c.IDs); i++ {
		if order(c.IDs[i-1], c.IDs[i]) >= 0 {
			return fmt.Sprintf("ids are not in order, each once: %s stands behind %s", Quoted(c.IDs[i]), Quoted(c.IDs[i-1]))
		}
	}
	return ""
}

// Rows is how many rows the inputs have.
func (c *Census) Rows() int64 {
	n := int64(0)
	for i := range c.Inputs {
		n += c.Inputs[i].Rows
	}
	return n
}
