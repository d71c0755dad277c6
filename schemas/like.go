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
	return below(n, keys)
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
