package tableaudir

import (
	"errors"
	"fmt"
	"slices"

	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// Declared compares a manifest with the protocol under which it was made: all
// that the protocol fixes must be in the manifest as it is declared. Whatever
// does not agree is an *InputError: a tableau that is damaged.
func Declared(p *schemas.Protocol, m *schemas.Manifest, roles role.List) error {
	ws, err := roles.Wanted(p)
	if err != nil {
		return err
	}
	var faults []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	refuse(m.Declared != (len(p.Arms) > 0), "declared is %v", m.Declared)
	refuse(len(p.Arms) > 0 && !slices.Equal(m.Arms, p.Arms), "the arms are not those that the protocol declares, in their order")
	refuse(p.Experiment.Column == "" && (len(m.Experiments) != 1 || m.Experiments[0].ID != p.Experiment.ID), "the experiment is not %s", schemas.Quoted(p.Experiment.ID))
	refuse(!slices.Equal(m.Reward.Range[:], p.Reward.Range), "the reward's range is %v", m.Reward.Range)
	refuse(!slices.Equal(m.Order, p.Log.Order), "the order is by %q", m.Order)
	refuse(m.Missing != MissingWord(p), "missing_reward is %q", m.Missing)
	refuse(p.Log.ContextByArm == "" && m.ByArm.Context != 0 || p.Log.ReleasedByArm == "" && m.ByArm.Released != 0, "columns by arm that are not declared")
	refuse(!slices.Equal(targetNames(m), p.TargetColumns()), "the columns of evaluated policies are %q", targetNames(m))
	refuse(!slices.Equal(m.Context, declaredContext(p, m)), "the context is %d columns that are not those declared", len(m.Context))
	refuse(m.Hash != declaredHash(p), "units have their positions by %q", m.Hash)
	refuse(!sameColumns(ws, m.Columns), "the columns are not those declared")
	if len(faults) == 0 {
		return nil
	}
	return tableauError(ManifestFile, errors.Join(faults...))
}

// targetNames are the columns of evaluated policies of a manifest.
func targetNames(m *schemas.Manifest) []string {
	var out []string
	for _, t := range m.Targets {
		out = append(out, t.Column)
	}
	return out
}

// declaredHash is the name of the hash that gives units their positions; "" for none.
func declaredHash(p *schemas.Protocol) string {
	if d := p.Hashed(); d != nil {
		return d.Hash
	}
	return ""
}

// MissingWord is what a protocol says of missing rewards.
func MissingWord(p *schemas.Protocol) string {
	if p.Log.MissingReward == "" {
		return schemas.MissingError
	}
	return p.Log.MissingReward
}

// declaredContext names the context that a protocol declares. The length of its list
// is the manifest's to say.
func declaredContext(p *schemas.Protocol, m *schemas.Manifest) []string {
	names := []string{}
	for i := range p.Log.Context.Columns {
		names = append(names, role.ContextNames(&p.Log.Context.Columns[i])...)
	}
	if list := p.Log.Context.List; list != "" {
		names = append(names, role.ItemNames(list, max(0, len(m.Context)-len(names)))...)
	}
	return names
}

// sameColumns reports whether the columns that were read are those wanted, in
// their order.
func sameColumns(ws []role.Want, columns []schemas.ColumnInfo) bool {
	return slices.EqualFunc(ws, columns, func(w role.Want, c schemas.ColumnInfo) bool {
		return w.Name == c.Column && w.Key() == c.Role
	})
}
