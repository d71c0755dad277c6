package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// manifest describes what was read and how it lies in the tableau.
func (r *run) manifest(sha string) *schemas.Manifest {
	m := &schemas.Manifest{
		Schema: schemas.ManifestSchema, Tool: r.options.Tool, Inputs: []schemas.Input{}, Rows: r.log.rows,
		Arms: slices.Clone(r.convert.arms.names), Declared: len(r.p.Arms) > 0,
		Reward:  schemas.RewardColumn{Range: [2]float64{r.convert.reward.lo, r.convert.reward.hi}},
		Context: r.convert.contextNames(), Columns: r.log.infos(), Counts: []schemas.Exclusion{},
		Order: slices.Clone(r.p.Log.Order), Protocol: r.p.LogDigest(), SHA256: sha,
	}
	for i := range r.log.inputs {
		in := &r.log.inputs[i]
		m.Inputs = append(m.Inputs, schemas.Input{URI: in.URI, Bytes: in.info.Size(), Rows: in.rows, SHA256: in.sha})
	}
	for i, w := range r.log.wants {
		if w.role == roleReward {
			m.Reward.Type = rewardType(r.log.kinds[i])
		}
	}
	m.Experiments = make([]schemas.ManifestExperiment, len(r.ids))
	for code, index := range r.rank {
		m.Experiments[index] = schemas.ManifestExperiment{ID: r.ids[index], Rows: r.first.count[code], Gaps: r.first.gaps[code]}
	}
	offset := int64(0)
	for i := range m.Experiments {
		m.Experiments[i].Offset = offset
		offset += m.Experiments[i].Rows
	}
	if n := r.convert.reward.clipped; n > 0 {
		m.Counts = append(m.Counts, schemas.Exclusion{Reason: reasonClipped, Rows: n})
	}
	return m
}

// infos says how each wanted column is typed.
func (l *logFiles) infos() []schemas.ColumnInfo {
	infos := []schemas.ColumnInfo{}
	for i, w := range l.wants {
		if len(l.types[i]) > 0 {
			infos = append(infos, schemas.ColumnInfo{Column: w.name, Role: w.role.String(), Type: strings.Join(l.types[i], " or ")})
		}
	}
	return infos
}

// writeManifest writes a manifest as indented JSON.
func writeManifest(path string, m *schemas.Manifest) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return fmt.Errorf("ingest: manifest: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a manifest discloses no reward
	if err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	if _, err := file.Write(b.Bytes()); err != nil {
		_ = file.Close() // The error of the write says more.
		return fmt.Errorf("ingest: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	return nil
}
