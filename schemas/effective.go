package schemas

import "banditaudit/schemas/tree"

// ReadEffective reads the protocol that results hold, as Effective wrote it. Nothing
// is judged again, and no default is filled in. The error says that b is not JSON, or
// is a Problems where it has not the form of a protocol.
func (c *Catalogue) ReadEffective(b []byte) (*Protocol, error) {
	root, err := tree.ParseJSON(b)
	if err != nil {
		return nil, err
	}
	r, p := newReader(c, ""), &Protocol{}
	r.decode(root, p)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	undeclared(p)
	return p, nil
}
