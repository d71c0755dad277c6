package fragment

import (
	"fmt"

	"banditaudit/schemas"
)

// ManifestSchema is the value of Manifest.Schema.
const ManifestSchema = "merged.v1"

// Manifest is manifest.json of a bundle that was put together from fragments: what was
// read, and the fragments. Where they lay, and in which order they were given, it does
// not say.
type Manifest struct {
	Schema      string          `json:"schema"`
	Tool        schemas.Tool    `json:"tool"`
	Inputs      []schemas.Input `json:"inputs"` // of the log, by uri
	Rows        int64           `json:"rows"`
	Experiments int             `json:"experiments"`
	Protocol    string          `json:"protocol_sha256"` // of the effective protocol, lower-case hex
	Log         string          `json:"log_sha256"`      // LogDigest of Inputs
	Fragments   []Listed        `json:"fragments"`       // by of, then part
}

// Listed is a fragment in a Manifest.
type Listed struct {
	Part
	Experiments int    `json:"experiments"`
	Rows        int64  `json:"rows"`
	SHA256      string `json:"sha256"` // of all its bytes, lower-case hex
}

// DecodeManifest reads a Manifest. What it does not know, and another schema, are errors.
func DecodeManifest(text []byte) (m Manifest, err error) {
	if err = decode(text, &m); err == nil && m.Schema != ManifestSchema {
		err = fmt.Errorf("fragment: a manifest of schema %q, not %q", m.Schema, ManifestSchema)
	}
	return m, err
}
