// Package tableaudir is what lies in a directory once a log was ingested: rounds.arrow,
// units.arrow and manifest.json, written, opened and held against a protocol.
package tableaudir

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/hashassign"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Names of the files that Ingest writes.
const (
	RoundsFile   = "rounds.arrow"
	UnitsFile    = "units.arrow" // only where the protocol declares a unit
	ManifestFile = "manifest.json"
)

const mendTableau = "ingest the log again"

// Open opens the tableau that Ingest wrote to dir: it reads the manifest,
// checks it, opens rounds.arrow by it, and units.arrow where a unit was
// declared, and compares the files' digests with the manifest's. Whatever does
// not agree is an *InputError. The tableau must be closed.
func Open(dir string) (*tableau.Tableau, *schemas.Manifest, error) {
	return OpenWithin(dir, math.MaxInt64)
}

// OpenWithin is Open where memory, in bytes, bounds what the process may take: a
// manifest takes about four times the size of its file, and one that would take
// more than memory is not read. The error then wraps ErrResource.
func OpenWithin(dir string, memory int64) (*tableau.Tableau, *schemas.Manifest, error) {
	m, err := readManifest(filepath.Join(dir, ManifestFile), memory)
	if errors.Is(err, fault.ErrResource) {
		return nil, nil, fmt.Errorf("ingest: %s: %w", ManifestFile, err)
	}
	if err != nil {
		return nil, nil, tableauError(ManifestFile, err)
	}
	t, digest, err := tableau.OpenDigested(filepath.Join(dir, RoundsFile), Schema(m))
	if err != nil {
		return nil, nil, tableauError(RoundsFile, err)
	}
	if err := sameDigest(digest, m.SHA256); err != nil {
		return nil, nil, errors.Join(tableauError(RoundsFile, err), t.Close())
	}
	if err := sameCounts(t, m); err != nil {
		return nil, nil, errors.Join(tableauError(ManifestFile, err), t.Close())
	}
	if !t.Schema().Unit {
		return t, m, nil
	}
	if err := t.OpenUnits(filepath.Join(dir, UnitsFile)); err != nil {
		return nil, nil, errors.Join(tableauError(UnitsFile, err), t.Close())
	}
	if err := sameDigest(t.UnitsDigest, m.Units); err != nil {
		return nil, nil, errors.Join(tableauError(UnitsFile, err), t.Close())
	}
	return t, m, nil
}

// sameCounts compares the units and batches of the experiments with what the
// manifest says.
func sameCounts(t *tableau.Tableau, m *schemas.Manifest) error {
	for i, e := range m.Experiments {
		s := t.Slice(i)
		if s.UnitCount() != e.Units || int64(s.BatchCount()) != e.Batches {
			return fmt.Errorf("experiment %s has %d units and %d batches; the manifest says %d and %d", schemas.Quoted(e.ID), s.UnitCount(), s.BatchCount(), e.Units, e.Batches)
		}
	}
	return nil
}

// sameDigest compares a file's digest with that in the manifest.
func sameDigest(digest func() (string, error), want string) error {
	sum, err := digest()
	if err == nil && sum != want {
		err = fmt.Errorf("its SHA-256 is %s where the manifest has %q", sum, want)
	}
	return err
}

func tableauError(file string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fault.OfFile(file, fault.RuleTableau, "is missing", "name a directory that `ingest` wrote, or "+mendTableau, err)
	}
	return fault.OfFile(file, fault.RuleTableau, "is not what ingest wrote", mendTableau, err)
}

// Schema is what a manifest says of the file.
func Schema(m *schemas.Manifest) tableau.Schema {
	s := tableau.Schema{
		ContextDim: len(m.Context), ContextByArm: m.ByArm.Context, ReleasedByArm: m.ByArm.Released,
		MissingReward: m.Missing != schemas.MissingError, Time: m.Time, Arms: len(m.Arms), Reward: m.Reward.Range,
	}
	if h, ok := hashassign.Named(m.Hash); ok {
		s.Positions = h.Steps
	}
	for _, c := range role.All() {
		if c.Store != nil && slices.ContainsFunc(m.Columns, func(in schemas.ColumnInfo) bool { return in.Role == c.Key() }) {
			c.Store(&s)
		}
	}
	for i := range m.Targets {
		s.Targets += m.Targets[i].Width(s.Arms)
	}
	s.Experiments = make([]tableau.Range, len(m.Experiments))
	for i := range m.Experiments {
		e := &m.Experiments[i]
		s.Experiments[i] = tableau.Range{ID: e.ID, Offset: e.Offset, Rows: e.Rows}
	}
	return s
}

// checkManifest checks what the reader of a tableau relies on and
// tableau.Open does not see.
func checkManifest(m *schemas.Manifest) error {
	var faults []error
	if m.Schema != schemas.ManifestSchema {
		faults = append(faults, fmt.Errorf("schema %q; this program reads %q", m.Schema, schemas.ManifestSchema))
	}
	if err := m.Sealed(); err != nil {
		faults = append(faults, err)
	}
	rows := int64(0)
	for _, in := range m.Inputs {
		rows += in.Rows
	}
	if rows != m.Rows {
		faults = append(faults, fmt.Errorf("%d rows, and %d in its inputs", m.Rows, rows))
	}
	rows = 0
	for _, e := range m.Experiments {
		rows += e.Rows
		for _, c := range e.Counts {
			if c.Arm < 0 || c.Arm >= len(m.Arms) || c.Rows < 1 || c.Rows > e.Rows {
				faults = append(faults, fmt.Errorf("experiment %s counts %d rows of arm %d; it has %d rows, of %d arms", schemas.Quoted(e.ID), c.Rows, c.Arm, e.Rows, len(m.Arms)))
			}
		}
	}
	if rows != m.Rows {
		faults = append(faults, fmt.Errorf("%d rows, and %d in its experiments", m.Rows, rows))
	}
	if words := schemas.MissingWords(); !slices.Contains(words, m.Missing) {
		faults = append(faults, fmt.Errorf("missing_reward %q; it is one of %q", m.Missing, words))
	}
	if r := m.Reward.Range; !(r[0] < r[1]) { // so that NaN fails
		faults = append(faults, fmt.Errorf("reward range [%g, %g]", r[0], r[1]))
	}
	if _, ok := hashassign.Named(m.Hash); m.Hash != "" && !ok {
		faults = append(faults, fmt.Errorf("hash %q; this program knows none of that name", m.Hash))
	}
	faults = append(faults, unique("arm", m.Arms), inOrder(m.Experiments))
	return errors.Join(faults...)
}

// inOrder checks that experiments are sorted as ingest sorts them, which no two
// of one id are.
func inOrder(all []schemas.ManifestExperiment) error {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	order := cell.LabelOrder(ids)
	for i := 1; i < len(ids); i++ {
		if order(ids[i-1], ids[i]) >= 0 {
			return fmt.Errorf("experiment %s before %s", schemas.Quoted(ids[i-1]), schemas.Quoted(ids[i]))
		}
	}
	return nil
}

func unique(what string, names []string) error {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return fmt.Errorf("%s %s twice", what, schemas.Quoted(n))
		}
		seen[n] = true
	}
	return nil
}
