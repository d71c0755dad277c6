package schemas

import (
	"strconv"
	"strings"
)

// longestNumber bounds the labels that are read as numbers.
const longestNumber = 32

// WholeOf returns the whole number, in decimal, that a label writes as programs write
// a float64 when they cast it to text:
//
//	"1.0", "-3.00"            as Python, SQL engines and Spark do
//	"1.0E7", "1e+16", "2E3"   as they write large ones
//	"-0.0"                    is 0
//
// ok is false of every other label, also of a whole number in decimal, of one of 2⁶³
// or more, and of fractions.
func WholeOf(label string) (whole string, ok bool) {
	if len(label) < 2 || len(label) > longestNumber || !strings.ContainsAny(label, ".eE") || strings.Trim(label, "0123456789.eE+-") != "" {
		return "", false
	}
	if first := strings.TrimPrefix(label, "-"); first == "" || first[0] < '0' || first[0] > '9' {
		return "", false
	}
	const end = 1 << 63
	x, err := strconv.ParseFloat(label, 64)
	if err != nil || !(x > -end && x < end) || x != float64(int64(x)) {
		return "", false
	}
	return strconv.FormatInt(int64(x), 10), true
}

// PaddedOf returns the whole number, in decimal, that a label writes with zeros in
// front: "01", "-007". ok is false of every other label.
func PaddedOf(label string) (whole string, ok bool) {
	digits := strings.TrimPrefix(label, "-")
	if len(digits) < 2 || len(digits) > longestNumber || digits[0] != '0' || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	whole = strings.TrimLeft(digits, "0")
	switch {
	case whole == "":
		return "0", true
	case len(digits) < len(label):
		return "-" + whole, true
	}
	return whole, true
}

// SameNumbers returns the pairs of labels that are one number in two writings: the
// first is a whole number in decimal, the second is that number as reads reads it
// (WholeOf, PaddedOf). They are in the order of the second among the labels.
func SameNumbers(labels []string, reads ...func(label string) (whole string, ok bool)) [][2]string {
	other := map[string]string{} // by label that is not in decimal
	for _, label := range labels {
		for _, read := range reads {
			if whole, ok := read(label); ok {
				other[label] = whole
			}
		}
	}
	if len(other) == 0 {
		return nil
	}
	known := make(map[string]bool, len(labels))
	for _, label := range labels {
		known[label] = true
	}
	var out [][2]string
	for _, label := range labels {
		if whole, ok := other[label]; ok && known[whole] {
			out = append(out, [2]string{whole, label})
		}
	}
	return out
}

// CastLabels is the mend of labels that are one number in two writings.
const CastLabels = "where one file has whole numbers and another doubles, cast the column to BIGINT in all files"
