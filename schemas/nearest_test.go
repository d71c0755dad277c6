package schemas

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	words := []string{"order", "ties", "action", "reward"}
	for _, tc := range []struct{ text, want string }{
		{"actoin", "action"},
		{"rewrad", "reward"},
		{"tie", "ties"},
		{"order", "order"},
		{"", "ties"},       // the shortest is nearest to nothing
		{"éé", "ties"},     // characters are counted, not bytes
		{"zzzzz", "order"}, // the first of equals
	} {
		if got := nearest(tc.text, words); got != tc.want {
			t.Errorf("nearest(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
	if got := nearest("x", nil); got != "" {
		t.Errorf("nearest of no words is %q", got)
	}
}

func TestEditDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"kitten", "sitting", 3}, // the textbook pair
		{"", "abc", 3},
		{"abc", "", 3},
		{"flaw", "lawn", 2},
		{strings.Repeat("a", 1000), "", maxCompared},
	} {
		if got := editDistance(tc.a, tc.b); got != tc.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

// TestEditDistanceIsAMetric checks identity, symmetry and the triangle.
func TestEditDistanceIsAMetric(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcé")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		if (editDistance(a, b) == 0) != (a == b) {
			t.Fatal("identity")
		}
		if editDistance(a, b) != editDistance(b, a) {
			t.Fatal("symmetry")
		}
		if editDistance(a, c) > editDistance(a, b)+editDistance(b, c) {
			t.Fatal("triangle")
		}
	})
}
