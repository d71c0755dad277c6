package schemas

import (
	"slices"
	"strings"

	"banditaudit/schemas/near"
	"banditaudit/schemas/tree"
)

// likeKey names the policy of a library whose keys are filled in.
const likeKey = "like"

// liked returns the keys of a policy with those that policy.like fills in. A key that is
// written beside it replaces what it fills in; of a mapping, key by key. What is filled in
// has the place of like in the file.
func (r *reader) liked(n *tree.Node, path string) *tree.Node {
	i := slices.IndexFunc(n.Fields, func(f tree.Field) bool { return f.Key == likeKey })
	if i < 0 || n.Fields[i].Value.Kind != tree.Scalar || keyed(n, "exec") != nil {
		return n
	}
	f := n.Fields[i]
	like := r.catalogue.Like(f.Value.Text)
	if like == nil {
		r.faults.mark(join(path, likeKey))
		r.faults.mark(join(path, "name"))
		known := r.catalogue.LikeNames()
		mend := "write one of them, or name and its own keys"
		if word := near.Word(f.Value.Text, known); word != "" {
			mend = "write " + word
		}
		r.report(join(path, likeKey), f.Value.At, join(path, likeKey)+" is "+shown(f.Value.Text), "it must be one of: "+strings.Join(known, ", "), mend)
		return n
	}
	keys := tree.Parse([]byte("{"+like.Keys+"}"), shown, func(at tree.Place, what, why, mend string) { r.report(path, at, what, why, mend) })
	if keys == nil {
		return n
	}
	move(keys, f.At)
	if own, its := keyed(n, "name"), keyed(keys, "name"); own != nil && its != nil && own.Text != its.Text {
		at := join(path, "name")
		r.faults.mark(at)
		r.report(at, own.At, at+" is "+own.Describe(shown), join(path, likeKey)+": "+like.Name+" is "+its.Text, "write name: "+its.Text+", or delete one of the two keys")
	}
	out := below(n, keys)
	r.filled = &likeFilled{like: like.Name, at: map[string]bool{}}
	r.filled.take(n, out, path)
	return out
}

// likeFilled are the paths of keys that policy.like fills in: of a mapping that the file has in
// part, those that it lacks.
type likeFilled struct {
	like string
	at   map[string]bool
}

// take notes what a mapping has and the file's own has not.
func (f *likeFilled) take(own, all *tree.Node, path string) {
	for _, field := range all.Fields {
		switch mine, at := keyed(own, field.Key), join(path, field.Key); {
		case mine == nil:
			f.at[at] = true
		case mine.Kind == tree.Mapping:
			f.take(mine, field.Value, at)
		}
	}
}

// says adds to what is wrong at a path that the key stands in no line of the file, and how
// to replace one.
func (f *likeFilled) says(path, why, mend string) (string, string) {
	if f == nil {
		return why, mend
	}
	key, ok := path, true
	for ok && !f.at[key] {
		key, ok = enclosing(key)
	}
	if !ok || key == "" {
		return why, mend
	}
	name := key[strings.LastIndex(key, ".")+1:]
	if strings.HasPrefix(mend, "delete the key") || strings.HasPrefix(mend, "delete one of") {
		mend = "write another " + name + " beside like, or name and the policy's own keys instead of like"
	}
	return why + "; " + key + " is filled in by like: " + f.like, mend
}

// keyed is the value of a key of a mapping; nil where it has none.
func keyed(n *tree.Node, key string) *tree.Node {
	for i := range n.Fields {
		if n.Fields[i].Key == key {
			return n.Fields[i].Value
		}
	}
	return nil
}

// move gives a node and all in it one place.
func move(n *tree.Node, at tree.Place) {
	n.At = at
	for i := range n.Fields {
		n.Fields[i].At = at
		move(n.Fields[i].Value, at)
	}
	for _, item := range n.Items {
		move(item, at)
	}
}

// below returns a mapping with what another has and it has not.
func below(n, filled *tree.Node) *tree.Node {
	out := *n
	out.Fields = slices.Clone(n.Fields)
	for _, f := range filled.Fields {
		i := slices.IndexFunc(out.Fields, func(own tree.Field) bool { return own.Key == f.Key })
		switch {
		case i < 0:
			out.Fields = append(out.Fields, f)
		case out.Fields[i].Value.Kind == tree.Mapping && f.Value.Kind == tree.Mapping:
			out.Fields[i].Value = below(out.Fields[i].Value, f.Value)
		}
	}
	return &out
}
