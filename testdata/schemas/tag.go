package main

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// tag is what the schema tag of a field says of its value; of a list, of its
// elements but for count and unique. Its parts are separated by "; ":
//
//	words=a|b      one of these words
//	range=(0,1]    a number in this interval; inf for no end
//	count=[1,inf)  so many elements
//	either=key     this key or that one has to stand
//	unique         elements that differ
//	named          a text that is not empty
//	empty          a text of a protocol that may be empty
//	const=a        this text
//	sha256         64 lower-case hex digits
//	pattern=…      a text that matches; the last part
//	ref=…          the schema of another document
type tag struct {
	words         []string
	bounds, count bounds
	unique        bool
	named, empty  bool
	constant      string
	pattern, ref  string
	either        string
}

// readTag reads a schema tag.
func readTag(text string) (tag, error) {
	var t tag
	if text == "" {
		return t, nil
	}
	for part := range strings.SplitSeq(text, "; ") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "words":
			t.words = strings.Split(value, "|")
		case "range":
			t.bounds = bounds(value)
		case "count":
			t.count = bounds(value)
		case "unique":
			t.unique = true
		case "named":
			t.named = true
		case "empty":
			t.empty = true
		case "either":
			t.either = value
		case "const":
			t.constant = value
		case "sha256":
			t.pattern = "^[0-9a-f]{64}$"
		case "pattern":
			t.pattern = value
		case "ref":
			t.ref = value
		default:
			return t, fmt.Errorf("the schema tag has no part %q", key)
		}
	}
	for _, b := range []bounds{t.bounds, t.count} {
		if b != "" && !interval.MatchString(string(b)) {
			return t, fmt.Errorf("%q is no interval", b)
		}
	}
	return t, nil
}

// bounds is an interval such as "(0,1]"; "" for all numbers.
type bounds string

var interval = regexp.MustCompile(`^([[(])([^,]+),([^,]+)([])])$`)

// members are the keywords that bound a number.
func (b bounds) members() object {
	m := interval.FindStringSubmatch(string(b))
	if m == nil {
		return nil
	}
	var out object
	add := func(end string, open bool, closed, exclusive string) {
		x, err := strconv.ParseFloat(end, 64)
		if err != nil || math.IsInf(x, 0) {
			return
		}
		key := closed
		if open {
			key = exclusive
		}
		out = append(out, member(key, json.RawMessage(end)))
	}
	add(m[2], m[1] == "(", "minimum", "exclusiveMinimum")
	add(m[3], m[4] == ")", "maximum", "exclusiveMaximum")
	return out
}
