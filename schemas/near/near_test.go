package near

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	words := []string{"order", "ties", "action", "reward"}
	for _, tc := range []struct{ text, closest, near string }{
		{"actoin", "action", "action"},
		{"rewrad", "reward", "reward"},
		{"tie", "ties", "ties"},
		{"order", "order", "order"},
		{"", "ties", ""},       // the shortest is closest to nothing
		{"éé", "ties", ""},     // characters are counted, not bytes
		{"zzzzz", "order", ""}, // the first of equals
		{"teis", "ties", "ties"},
		{"toes", "ties", "ties"},
		{"tear", "ties", ""}, // 3 of 4 characters differ
	} {
		if got := Closest(tc.text, words); got != tc.closest {
			t.Errorf("closest(%q) = %q, want %q", tc.text, got, tc.closest)
		}
		if got := Word(tc.text, words); got != tc.near {
			t.Errorf("nearest(%q) = %q, want %q", tc.text, got, tc.near)
		}
	}
	for _, text := range []string{"", "x", "word"} {
		if Closest(text, nil) != "" || Word(text, nil) != "" || Among(text, nil, strconv.Quote) != "" {
			t.Errorf("there is something near %q among no words", text)
		}
	}
}

// TestAmong: a message names what is near, else some of what there is.
func TestAmong(t *testing.T) {
	words := strings.Fields("one two three four five six seven eight nine ten eleven twelve")
	for text, want := range map[string]string{
		"thre":  `; the nearest is "three"`,
		"zzzzz": `; there are: "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", and 2 more`,
	} {
		if got := Among(text, words, strconv.Quote); got != want {
			t.Errorf("among(%q) = %s, want %s", text, got, want)
		}
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
