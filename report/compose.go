package report

// compose builds the document that both renderers walk. With figures, each
// picture holds its SVG; without, only its name and caption.
func compose(r *Digest, figures bool) (*document, error) {
	p, err := readProtocol(r)
	if err != nil {
		return nil, err
	}
	list := drawings(r, &p)
	if figures {
		if list, err = drawAll(list); err != nil {
			return nil, err
		}
	}
	b := &builder{}
	cover(b, r, &p)
	summary(b, r, &p)
	scope(b, r)
	if err := declaration(b, r, &p); err != nil {
		return nil, err
	}
	inputs(b, r)
	experiments(b, r, &p, list)
	assumptions(b, r)
	methods(b, r, &p)
	reverify(b, r)
	return &b.doc, nil
}
