package shard

import "banditaudit/schemas"

// ManifestSchema is the value of Manifest.Schema.
const ManifestSchema = "merged.v1"

// Manifest is manifest.json of a bundle that was put together from fragments: what was
// read, and the fragments. Where they lay, and in which order they were given, it does
// not say.
type Manifest struct {
	Schema      string          `json:"schema" schema:"const=merged.v1"`
	Tool        schemas.Tool    `json:"tool"`
	Inputs      []schemas.Input `json:"inputs"` // of the log, by uri
	Rows        int64           `json:"rows"`
	Experiments int             `json:"experiments"`
	Protocol    string          `json:"protocol_sha256" schema:"sha256"` // of the effective protocol, lower-case hex
	Log         string          `json:"log_sha256" schema:"sha256"`      // as in the head of every fragment
	Fragments   []Listed        `json:"fragments"`                       // by of, then part, then sha256
}

// Listed is a fragment in a Manifest; part 0 of 0 is one that an engine shuffled.
type Listed struct {
	Part
	Experiments int    `json:"experiments"`
	Rows        int64  `json:"rows"`
	SHA256      string `json:"sha256" schema:"sha256"` // of all its bytes, lower-case hex
}

// DecodeManifest reads a Manifest, which must have the form of its schema.
func DecodeManifest(text []byte) (m Manifest, err error) {
	if err = schemas.ValidateMerged(text); err == nil {
		err = decode(text, &m)
	}
	return m, err
}
