package schemas

// ManifestSchema is the value of Manifest.Schema.
const ManifestSchema = "manifest.v1"

// Manifest is manifest.json: what was read, and how rounds.arrow is laid out.
// It discloses no reward.
type Manifest struct {
	Schema      string               `json:"schema"` // always ManifestSchema
	Tool        Tool                 `json:"tool"`
	Inputs      []Input              `json:"inputs"` // by uri, bytewise
	Rows        int64                `json:"rows"`
	Arms        []string             `json:"arms"`     // labels in index order
	Declared    bool                 `json:"declared"` // arms were declared; otherwise K is a lower bound
	Reward      RewardColumn         `json:"reward"`
	Context     []string             `json:"context"` // names of x0… in order; a dummy is "column=level"
	Columns     []ColumnInfo         `json:"columns"` // how each log column was read
	Experiments []ManifestExperiment `json:"experiments"`
	Counts      []Exclusion          `json:"counts"` // by reason: "reward clipped to range", …
	Order       []string             `json:"order"`
	Protocol    string               `json:"protocol_sha256"` // Protocol.LogDigest of the declaration it was read under
	SHA256      string               `json:"sha256"`          // of rounds.arrow, lower-case hex
}

// RewardColumn says how the reward was typed in the log.
type RewardColumn struct {
	Type  string     `json:"type"` // bool | int | float
	Range [2]float64 `json:"range"`
}

// ColumnInfo says what one column of the log turned into.
type ColumnInfo struct {
	Column string `json:"column"`
	Role   string `json:"role"`
	Type   string `json:"type"` // Parquet physical and logical type, in words
}

// ManifestExperiment is one experiment's slice of rounds.arrow.
type ManifestExperiment struct {
	ID     string `json:"id"`
	Offset int64  `json:"offset"` // first row
	Rows   int64  `json:"rows"`
	Gaps   int64  `json:"gaps"` // rows whose single whole-number order key is not the one before plus 1
}
