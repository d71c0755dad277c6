package diagnose

import "testing"

// Two numbers in words show by how much they differ, and a fraction is one.
func TestFiguresAreApart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		x, y          float64
		first, second string
	}{
		{0.02, 0, "0.02", "0"},
		{1.0 / 30, 0.0333333, "1/30", "0.0333333"},
		{0.03333333, 0.0333333, "0.03333333", "0.0333333"},
		{0.1234567, 0.1234568, "0.1234567", "0.1234568"},
		{1, 1 + 1e-15, "1", "1.000000000000001"},
		{-2.0 / 3, 2.0 / 3, "-2/3", "2/3"},
		{0.1, 0.1, "0.1", "0.1"},
		{12345678, 1e-9, "1.23457e+07", "1e-09"},
	} {
		if first, second := apart(tt.x, tt.y); first != tt.first || second != tt.second {
			t.Errorf("%v and %v: %s and %s, want %s and %s", tt.x, tt.y, first, second, tt.first, tt.second)
		}
	}
}
