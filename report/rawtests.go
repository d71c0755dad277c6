package report

import (
	"slices"
	"strings"
)

// rawTests says, once each, what the raw tests assume and what they are valid
// for.
func (s *study) rawTests(b *builder) {
	const named = 6 // tests named per sentence
	var order []string
	tests := map[string][]string{}
	for i := range s.x.Tests {
		t := &s.x.Tests[i]
		if t.Test == "" {
			continue
		}
		if tests[t.Test] == nil {
			order = append(order, t.Test)
		}
		if id := label(t.ID); !slices.Contains(tests[t.Test], id) {
			tests[t.Test] = append(tests[t.Test], id)
		}
	}
	if len(order) == 0 {
		return
	}
	lines := make([]string, 0, len(order))
	for _, text := range order {
		ids := tests[text]
		of := strings.Join(ids[:min(len(ids), named)], ", ")
		switch {
		case len(order) == 1 && len(ids) == len(s.x.Tests):
			of = "All tests"
		case len(ids) > named:
			of += " and " + plural(len(ids)-named, "more", "more")
		}
		lines = append(lines, of+": "+sentence(text))
	}
	b.add(para{Spans: []span{{Text: "The raw tests, and what each assumes:", Style: styleStrong}}}, list{Items: items(lines...)})
}
