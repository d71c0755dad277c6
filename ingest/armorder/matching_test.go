package armorder

import (
	"strconv"
	"strings"
	"testing"
)

// One assignment is found where there is one, and none where there are more.
func TestOnly(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ can, want string }{
		"one":       {"10 01", "0 1"},
		"forced":    {"110 100 111", "1 0 2"},
		"two":       {"11 11", ""},
		"none":      {"10 10", ""},
		"empty":     {"00 11", ""},
		"a pair":    {"100 011 011", ""},
		"of one":    {"1", "0"},
		"last only": {"111 011 001", "0 1 2"},
	} {
		rows := strings.Fields(tc.can)
		m := New(len(rows))
		for arm, row := range rows {
			m.Keep(arm, func(entry int) bool { return row[entry] == '1' })
		}
		var got []string
		for _, entry := range m.Only() {
			got = append(got, strconv.Itoa(entry))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	m := New(1)
	if m.None(); m.Only() != nil || m.Arms() != 1 {
		t.Error("an entry that is ruled out is assigned")
	}
}
