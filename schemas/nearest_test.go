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
		if got := EditDistance(tc.a, tc.b); got != tc.want {
			t.Errorf("EditDistance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

// TestEditDistanceIsAMetric checks identity, symmetry and the triangle.
func TestEditDistanceIsAMetric(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcé")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		if (EditDistance(a, b) == 0) != (a == b) {
			t.Fatal("identity")
		}
		if EditDistance(a, b) != EditDistance(b, a) {
			t.Fatal("symmetry")
		}
		if EditDistance(a, c) > EditDistance(a, b)+EditDistance(b, c) {
			t.Fatal("triangle")
		}
	})
}
