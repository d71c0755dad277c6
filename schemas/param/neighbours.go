package param

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Neighbour makes of declared values others that differ from them in one option: a
// dialect of the same policy, such as another program has it by the same name.
type Neighbour struct {
	Option string // the key that differs, below policy: "width.clock"

	changes []change
}

// change is another value at a path of keys; nil: it is not declared any more.
type change struct {
	path  []string
	value any
}

// Neighbours lists the neighbours of declared values, by what each key says beside it
// (Key.Near). The rules of the policy are not looked at: some may be none of its declarations.
func (p *Policy) Neighbours(v Values) []Neighbour {
	v = p.Filled(v)
	var out []Neighbour
	near(p.Keys, v, "", func(option string, other Values) {
		if n := (Neighbour{option, between(v, other, nil)}); len(n.changes) > 0 {
			out = append(out, n)
		}
	})
	return out
}

// near tells of the values that keys say are near to v, and of those of their groups.
func near(keys []Key, v Values, above string, take func(option string, other Values)) {
	for _, key := range keys {
		option := above + key.Name
		if key.Near != nil {
			for _, other := range key.Near(v) {
				take(option, other)
			}
		}
		if g := v.Group(key.Name); g != nil {
			near(keysBelow(key.Form), g, option+".", func(option string, other Values) { take(option, v.With(key.Name, other)) })
		}
	}
}

// keysBelow are the keys of the group that a value can be; nil where it can be none.
func keysBelow(f Form) []Key {
	switch f := f.(type) {
	case Group:
		return f.Keys
	case Either:
		return f.Group.Keys
	case Choice:
		return f.Group.Keys
	}
	return nil
}

// between are the changes that make a into b.
func between(a, b Values, path []string) []change {
	var out []change
	for _, key := range InOrder(slices.Collect(maps.Keys(union(a, b)))) {
		at := append(slices.Clone(path), key)
		g, h := a.Group(key), b.Group(key)
		switch {
		case g != nil && h != nil:
			out = append(out, between(g, h, at)...)
		case !b.Has(key) && a.Has(key):
			out = append(out, change{at, nil})
		case !same(a[key], b[key]):
			out = append(out, change{at, b[key]})
		}
	}
	return out
}

func union(a, b Values) Values {
	out := maps.Clone(a)
	if out == nil {
		out = Values{}
	}
	maps.Copy(out, b)
	return out
}

// same reports whether two values are equal.
func same(a, b any) bool {
	x, ok := a.(Rational)
	y, also := b.(Rational)
	if ok && also {
		return x.String() == y.String()
	}
	return reflect.DeepEqual(a, b)
}

// Of returns the values with the option changed; others are as they are in v.
func (n *Neighbour) Of(v Values) Values {
	for _, c := range n.changes {
		v = put(v, c.path, c.value)
	}
	return v
}

// put returns a copy with a value at a path; without it where that is nil.
func put(v Values, path []string, value any) Values {
	if len(path) > 1 {
		return v.With(path[0], put(v.Group(path[0]), path[1:], value))
	}
	v = v.With(path[0], value)
	if value == nil {
		delete(v, path[0])
	}
	return v
}

// Apart reports whether two neighbours change different things, so that there is one
// that differs in both.
func (n *Neighbour) Apart(o *Neighbour) bool {
	for _, c := range n.changes {
		for _, d := range o.changes {
			k := min(len(c.path), len(d.path))
			if slices.Equal(c.path[:k], d.path[:k]) {
				return false
			}
		}
	}
	return n.Option != o.Option
}

// Differing writes what a protocol has to say, in the order of InOrder, to declare the
// values now where was is declared: "width: {c: 2, clock: plays}", and the names of keys
// that it must not say any more. What stands for a key that is not declared is left out.
func (p *Policy) Differing(was, now Values) (say, without []string) {
	was, now = p.Filled(was), p.Filled(now)
	for _, key := range InOrder(slices.Collect(maps.Keys(union(was, now)))) {
		switch {
		case same(was[key], now[key]) && (p.stands(now, key) || !p.stands(was, key)):
		case !now.Has(key):
			if !p.stands(was, key) {
				without = append(without, key)
			}
		case p.stands(now, key) && (!was.Has(key) || p.stands(was, key)):
		default:
			say = append(say, key+": "+Flow(p.plain(was, now, key)))
		}
	}
	return say, without
}

// stands reports whether the value of a key is what stands for it where it is not
// declared.
func (p *Policy) stands(v Values, key string) bool {
	without := maps.Clone(v)
	delete(without, key)
	return same(p.Filled(without)[key], v[key])
}

// plain is the value of a key without the keys below it that need not be declared, and
// are what they were.
func (p *Policy) plain(was, v Values, key string) any {
	g, before := v.Group(key), was.Group(key)
	if g == nil {
		return v[key]
	}
	for _, below := range InOrder(slices.Collect(maps.Keys(g))) {
		less := maps.Clone(g)
		if delete(less, below); len(less) > 0 && same(before[below], v.Group(key)[below]) && same(p.Filled(v.With(key, less))[key], v[key]) {
			g = less
		}
	}
	return g
}

// Flow writes a value as a protocol does, on one line.
func Flow(value any) string {
	switch x := value.(type) {
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	case string:
		return x
	case Rational:
		return x.String()
	case []float64:
		words := make([]string, len(x))
		for i, v := range x {
			words[i] = Flow(v)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case Values:
		var words []string
		for _, key := range InOrder(slices.Collect(maps.Keys(x))) {
			words = append(words, key+": "+Flow(x[key]))
		}
		return "{" + strings.Join(words, ", ") + "}"
	}
	return ""
}
