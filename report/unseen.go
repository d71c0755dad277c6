package report

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

// unseen says of every kind of claim that held somewhere what would have left its
// verdict as it is, by the evidence that there was.
func unseen(r *Digest) []string {
	held := map[string]bool{}
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Verdict == schemas.Verified || c.Verdict == schemas.Consistent {
			held[c.Kind] = true
		}
	}
	var out []string
	for i := range r.Kinds {
		kind := &r.Kinds[i]
		for _, u := range kind.Unseen {
			if !held[kind.Kind] || u.Evidence == schemas.ModeNone || u.Evidence != "" && !r.seen[seenMode+u.Evidence] {
				continue
			}
			words := u.Words
			if r.seen[seenSeed] {
				words = slices.Concat(words, u.Drawn)
			}
			out = append(out, strings.TrimSuffix("What passes "+kind.Kind+" unseen, "+u.By, ", ")+": "+strings.Join(words, "; ")+".")
		}
	}
	return out
}
