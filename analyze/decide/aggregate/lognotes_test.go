package aggregate

import "testing"

// Ids that are one number in two writings are noted once, with their number.
func TestOneNumber(t *testing.T) {
	if got := oneNumber([]string{"1", "10", "1.5", "v1.0", "007", "7"}); got != nil {
		t.Errorf("%q", got)
	}
	want := "experiments 7 and 7.0 have ids that are one number in two writings, and count as two experiments (2 such pairs in all); " +
		"where one file has whole numbers and another doubles, cast the column to BIGINT in all files"
	if got := oneNumber([]string{"10000000", "7", "7.0", "1.0E7"}); len(got) != 1 || got[0] != want {
		t.Errorf("%q", got)
	}
}
