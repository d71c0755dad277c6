package report

import (
	"bytes"
	"io"
	"strings"

	"banditaudit/replay"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/report/tables"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// digested is the digest of whole results; nil of none.
func digested(r *schemas.Results) *digest.Digest {
	if r == nil {
		return nil
	}
	known := replay.Standard().Format()
	known.Claims = ofClaims()
	d := &digest.Digest{Catalogue: *known}
	for i := range r.Experiments {
		d.Add(&r.Experiments[i])
	}
	d.Finish(r)
	return d
}

// shelf keeps files in memory.
type shelf struct {
	names []string
	data  []*bytes.Buffer
}

func (s *shelf) create(name string) (io.WriteCloser, error) {
	b := &bytes.Buffer{}
	s.names, s.data = append(s.names, name), append(s.data, b)
	return closing{b}, nil
}

type closing struct{ io.Writer }

// Close does nothing.
func (closing) Close() error { return nil }

// tableFiles writes whole results into tables.
func tableFiles(r *schemas.Results, start func(tables.Create) (*tables.Writer, error)) ([]page.File, error) {
	s := &shelf{}
	t, err := start(s.create)
	if err != nil {
		return nil, err
	}
	for i := range r.Experiments {
		if err = t.Add(&r.Experiments[i]); err != nil {
			return nil, err
		}
	}
	err = t.Finish(r)
	var out []page.File
	for i, name := range s.names {
		out = append(out, page.File{Name: name, Data: s.data[i].Bytes()})
	}
	return out, err
}

// parquetFiles are the tables of whole results as Parquet.
func parquetFiles(r *schemas.Results) ([]page.File, error) {
	return tableFiles(r, func(c tables.Create) (*tables.Writer, error) { return tables.NewParquet(c, r.Tool) })
}

// ofPolicies are the meanings of what policies have of their own.
func ofPolicies() map[string]string { return replay.Standard().Format().Meanings() }

// ofClaims is what would pass two kinds of claim, by two kinds of evidence.
func ofClaims() []param.Claim {
	return []param.Claim{
		{Kind: schemas.KindConformance, Asks: "whether the declared policy chose the logged actions", Unseen: []param.Unseen{
			{Evidence: schemas.ModeSeed, By: "by a seed", Words: []string{"a log that was cut short", "rewards that nothing depends on"}, Drawn: []string{"a seed that others knew"}},
			{Evidence: schemas.ModeReleased, By: "by released values", Words: []string{"values that nobody saw"}},
			{Evidence: schemas.ModeNone, By: "with none of these", Words: []string{"everything"}},
		}},
		{Kind: schemas.KindPrivacyTotal, Asks: "whether the declared mechanism keeps to the privacy that is claimed", Unseen: []param.Unseen{{Words: []string{"another mechanism"}}}},
		{Kind: schemas.KindPrivacyLower},
	}
}

// spanText returns the words of spans without their style.
func spanText(spans []page.Span) string {
	var out strings.Builder
	for _, s := range spans {
		out.WriteString(s.Text)
	}
	return out.String()
}
