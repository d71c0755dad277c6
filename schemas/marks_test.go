package schemas

import "testing"

func TestMarks(t *testing.T) {
	m := newMarks()
	m.mark("a.b[2].c")
	for _, tc := range []struct {
		path          string
		within, sound bool
	}{
		{"a.b[2].c", true, false},
		{"a.b[2].c.d", true, false},
		{"a.b[2]", false, false},
		{"a.b", false, false},
		{"a", false, false},
		{"a.b[1]", false, true},
		{"a.b[2].e", false, true},
		{"a.b[20]", false, true},
		{"ab", false, true},
		{"", false, true},
	} {
		if got := m.within(tc.path); got != tc.within {
			t.Errorf("within(%q) = %v", tc.path, got)
		}
		if got := m.sound(tc.path); got != tc.sound {
			t.Errorf("sound(%q) = %v", tc.path, got)
		}
	}
}
