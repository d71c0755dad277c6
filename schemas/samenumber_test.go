package schemas_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

// The writings of a float64 are those that Python 3.13 (str), DuckDB 1.4 (CAST AS
// VARCHAR) and Java 21 (Double.toString, which Spark uses) give.
func TestWholeOf(t *testing.T) {
	for label, want := range map[string]string{
		"1.0": "1", "-3.00": "-3", "0.0": "0", "-0.0": "0", "1.0E7": "10000000", "1.2345678E7": "12345678", "1e+16": "10000000000000000", "12345678.0": "12345678",
		"2E3": "2000", "1.": "1",
		"1": "", "01": "", "-7": "", "1.5": "", "v1.0": "", "1.0.0": "", "": "", ".0": "", "e5": "", "E": "", "1e400": "", "1e19": "", "nan": "", "inf": "",
		"0x1p4": "", "1_0.0": "", "+1.0": "", "1.0-": "", "1.0E-1": "", "10.0E-1": "1", "12345678901234567890123456789012.0": "",
	} {
		if got, ok := schemas.WholeOf(label); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", label, got, ok, want)
		}
	}
}

func TestPaddedOf(t *testing.T) {
	for label, want := range map[string]string{
		"01": "1", "007": "7", "00": "0", "-01": "-1",
		"1": "", "0": "", "-1": "", "10": "", "0x1": "", "01a": "", "": "", "-": "", "0.1": "", "--01": "",
	} {
		if got, ok := schemas.PaddedOf(label); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", label, got, ok, want)
		}
	}
}

func TestSameNumbers(t *testing.T) {
	labels := []string{"0.0", "2", "0", "2.0", "3.0", "02", "a"}
	if diff := cmp.Diff([][2]string{{"0", "0.0"}, {"2", "2.0"}}, schemas.SameNumbers(labels, schemas.WholeOf)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][2]string{{"0", "0.0"}, {"2", "2.0"}, {"2", "02"}}, schemas.SameNumbers(labels, schemas.WholeOf, schemas.PaddedOf)); diff != "" {
		t.Error(diff)
	}
	if got := schemas.SameNumbers([]string{"1.0", "1.1", "2", "v1"}, schemas.WholeOf); got != nil {
		t.Errorf("versions are %v", got)
	}
}

// Every whole number that float64 holds is found in every writing of strconv.
func TestWholeOfEveryWriting(t *testing.T) {
	for shift := range 62 {
		for _, v := range []int64{1 << shift, -(1 << shift), 1<<shift + 1<<max(0, shift-20)} {
			for _, form := range []byte{'e', 'E'} {
				label := strconv.FormatFloat(float64(v), form, -1, 64)
				if got, ok := schemas.WholeOf(label); !ok || got != strconv.FormatInt(v, 10) {
					t.Errorf("%s is %q, %v, not %d", label, got, ok, v)
				}
			}
		}
	}
}
