package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ids are the members that name an element of a list wherever no other has the same.
func ids() []string { return []string{"experiment", "id"} }

// names are the members by which an element of a list is known again in another document,
// whatever its place, where its id does not do.
func names() []string {
	return append(ids(), "uri", "label", "name", "method", "estimator", "evaluation_policy", "against", "purpose")
}

// decision is the member by which an object that one document lacks is named.
const decision = "decision"

// Trees lists every value that differs between two JSON documents. Elements of lists that
// have names are compared by these, others by their places; numbers that differ by at
// most tolerance times the larger one are equal. Of what one document lacks whole there
// is one difference: of its decision, where it has one. The error says that one is no
// JSON.
func Trees(a, b []byte, tolerance float64) ([]Difference, error) {
	left, err := tree(a)
	if err != nil {
		return nil, err
	}
	right, err := tree(b)
	if err != nil {
		return nil, err
	}
	c := &comparison{tolerance: tolerance}
	c.values("", left, right)
	return c.found, nil
}

// absent stands where one document has no value.
type absent struct{}

func isAbsent(v any) bool { _, none := v.(absent); return none }

func tree(b []byte) (any, error) {
	if len(b) == 0 {
		return absent{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("compare: not JSON: %w", err)
	}
	return v, nil
}

type comparison struct {
	tolerance float64
	found     []Difference
}

func (c *comparison) values(at string, a, b any) {
	left, isList := a.([]any)
	right, alsoList := b.([]any)
	if isList && alsoList {
		a, b = named(left, right), named(right, left)
	}
	x, isObject := a.(map[string]any)
	y, alsoObject := b.(map[string]any)
	switch {
	case isObject && alsoObject:
		c.members(at, x, y)
	case isAbsent(a) && y[decision] != nil, isAbsent(b) && x[decision] != nil:
		c.values(at+"/"+decision, valueOf(x, decision), valueOf(y, decision))
	case !c.same(a, b):
		c.found = append(c.found, Difference{at, text(a), text(b)})
	}
}

// members compares what two objects have, in the order of their names.
func (c *comparison) members(at string, a, b map[string]any) {
	var keys []string
	for key := range a {
		keys = append(keys, key)
	}
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, Natural)
	for _, key := range keys {
		c.values(at+"/"+Escape(key), valueOf(a, key), valueOf(b, key))
	}
}

// Natural orders places of a list as numbers, and all else as text.
func Natural(a, b string) int {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return x - y
	}
	return strings.Compare(a, b)
}

func valueOf(m map[string]any, key string) any {
	if v, ok := m[key]; ok {
		return v
	}
	return absent{}
}

// named is a list as an object: its elements by their ids; by all their names where one
// of the two lists has the id twice; and by their places where they have none or share
// all.
func named(list, other []any) map[string]any {
	times, there := counted(list), counted(other)
	out := make(map[string]any, len(list))
	for i, v := range list {
		key := nameOf(v, ids())
		if key == "" || times[key] > 1 || there[key] > 1 {
			key = nameOf(v, names())
		}
		if _, taken := out[key]; taken || key == "" {
			key = strings.TrimPrefix(key+"#", "#") + strconv.Itoa(i)
		}
		out[key] = v
	}
	return out
}

// counted is how many elements of a list have an id.
func counted(list []any) map[string]int {
	out := map[string]int{}
	for _, v := range list {
		out[nameOf(v, ids())]++
	}
	return out
}

// nameOf joins the members of an element that are names.
func nameOf(v any, names []string) string {
	object, _ := v.(map[string]any) // what is no object has no members
	var parts []string
	for _, key := range names {
		if word, ok := object[key].(string); ok && word != "" {
			parts = append(parts, word)
		}
	}
	return strings.Join(parts, " ")
}

// same reports whether two values that are not both objects are equal.
func (c *comparison) same(a, b any) bool {
	x, errA := number(a)
	y, errB := number(b)
	if errA == nil && errB == nil {
		return math.Abs(x-y) <= c.tolerance*math.Max(math.Abs(x), math.Abs(y))
	}
	return text(a) == text(b)
}

func number(v any) (float64, error) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, strconv.ErrSyntax
	}
	return n.Float64()
}

// text is a value in a message.
func text(v any) string {
	if isAbsent(v) {
		return nothing
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nothing
	}
	return cut(string(b))
}
