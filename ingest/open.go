package ingest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// maxManifest bounds a manifest that Open reads: some 100 bytes for each of
// very many experiments.
const maxManifest = 1 << 30

const mendTableau = "ingest the log again"

// Open opens the tableau that Ingest wrote to dir: it reads the manifest,
// checks it, opens rounds.arrow by it, and compares the file's digest with the
// manifest's. Whatever does not agree is an *InputError. The tableau must be
// closed.
func Open(dir string) (*tableau.Tableau, *schemas.Manifest, error) {
	m, err := readManifest(filepath.Join(dir, ManifestFile))
	if err != nil {
		return nil, nil, tableauError(ManifestFile, err)
	}
	t, err := tableau.Open(filepath.Join(dir, RoundsFile), tableauSchema(m))
	if err != nil {
		return nil, nil, tableauError(RoundsFile, err)
	}
	sum, err := t.Digest()
	if err == nil && sum != m.SHA256 {
		err = fmt.Errorf("its SHA-256 is %s where the manifest has %q", sum, m.SHA256)
	}
	if err != nil {
		return nil, nil, errors.Join(tableauError(RoundsFile, err), t.Close())
	}
	return t, m, nil
}

func tableauError(file string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fileError(file, RuleTableau, "is missing", "name a directory that `ingest` wrote, or "+mendTableau, err)
	}
	return fileError(file, RuleTableau, "is not what ingest wrote", mendTableau, err)
}

// tableauSchema is what a manifest says of the file.
func tableauSchema(m *schemas.Manifest) tableau.Schema {
	s := tableau.Schema{ContextDim: len(m.Context), Arms: len(m.Arms), Reward: m.Reward.Range}
	for _, c := range m.Columns {
		if c.Role == rolePropensity.String() {
			s.Propensity = true
		}
	}
	for _, e := range m.Experiments {
		s.Experiments = append(s.Experiments, tableau.Range{ID: e.ID, Offset: e.Offset, Rows: e.Rows})
	}
	return s
}

func readManifest(path string) (*schemas.Manifest, error) {
	info, err := os.Stat(path) // before it is opened: opening a pipe would wait for its writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil, errors.New("not a manifest's file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	dec := json.NewDecoder(file)
	m := new(schemas.Manifest)
	if err := dec.Decode(m); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the end of the document")
	}
	return m, checkManifest(m)
}

// checkManifest checks what the reader of a tableau relies on and
// tableau.Open does not see.
func checkManifest(m *schemas.Manifest) error {
	var faults []error
	if m.Schema != schemas.ManifestSchema {
		faults = append(faults, fmt.Errorf("schema %q; this program reads %q", m.Schema, schemas.ManifestSchema))
	}
	rows := int64(0)
	for _, e := range m.Experiments {
		rows += e.Rows
	}
	if rows != m.Rows {
		faults = append(faults, fmt.Errorf("%d rows, and %d in its experiments", m.Rows, rows))
	}
	if r := m.Reward.Range; !(r[0] < r[1]) { // so that NaN fails
		faults = append(faults, fmt.Errorf("reward range [%g, %g]", r[0], r[1]))
	}
	faults = append(faults, unique("arm", m.Arms))
	ids := make([]string, len(m.Experiments))
	for i, e := range m.Experiments {
		ids[i] = e.ID
	}
	return errors.Join(append(faults, unique("experiment", ids))...)
}

func unique(what string, names []string) error {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return fmt.Errorf("%s %q twice", what, n)
		}
		seen[n] = true
	}
	return nil
}
