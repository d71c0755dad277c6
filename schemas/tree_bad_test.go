package schemas

import "testing"

// Each row uses a YAML construct that a protocol does not have, or is no YAML.
func TestYAMLThatIsRefused(t *testing.T) {
	for _, tc := range []mistake{
		{
			"anchor and alias", "  alpha: 0.05\n  multiplicity: holm",
			"  alpha: &a 0.05\n  clip_weights: *a",
			[]string{
				"p.yaml:22:10: an anchor (&) is not allowed here (a protocol must read the same to every eye); write the value out where it is used",
				"p.yaml:23:17: an alias (*) is not allowed here (a protocol must read the same to every eye); write the value out, or quote the text",
			},
		},
		{
			"merge key", "  ties: first",
			"  <<: {ties: first}",
			[]string{
				"p.yaml:17:3: a merge key (<<) is not allowed here (a protocol must read the same to every eye); write the keys out",
			},
		},
		{
			"tag", "  alpha: 0.05",
			"  alpha: !!float 0.05",
			[]string{
				"p.yaml:22:10: a tag (!) is not allowed here (a protocol must read the same to every eye); delete the tag, or quote the text",
			},
		},
		{
			"explicit key", "  alpha: 0.05",
			"  ? alpha\n  : 0.05",
			[]string{
				"p.yaml:22:3: an explicit key (?) is not allowed here (a protocol must read the same to every eye); write key: value, or quote the text",
			},
		},
		{
			"directive", "version: 1",
			"%YAML 1.2\n---\nversion: 1",
			[]string{
				"p.yaml:1:1: a directive (%) is not allowed here (a protocol must read the same to every eye); delete the line, or quote the text",
			},
		},
		{
			"second document", "claims:",
			"---\nclaims:",
			[]string{
				"p.yaml:30:1: a second document starts here (a protocol is one YAML document); keep one, and put the others in files of their own",
			},
		},
		{
			"open bracket", "arms: [control, blue, green]",
			"arms: [control, blue, green",
			[]string{
				"p.yaml:12:1: not YAML: ',' or ']' must be specified; check indentation, brackets and quotes here and just before",
			},
		},
		{
			"wrong indentation", "  ties: error",
			"   ties: error",
			[]string{
				"p.yaml:5:4: not YAML: value is not allowed in this context; check indentation, brackets and quotes here and just before",
			},
		},
		{
			"tabs that nest", "  alpha: 0.05",
			"\t\talpha: 0.05",
			[]string{
				"p.yaml:22:1: not YAML: a tab; indent with spaces",
			},
		},
		{
			"tab after spaces", "  ties: error",
			"  \tties: error",
			[]string{
				"p.yaml:5:3: not YAML: a tab; indent with spaces",
			},
		},
		{
			"tab", "  ties: error",
			"\tties: error",
			[]string{
				"p.yaml:5:1: not YAML: a tab; indent with spaces",
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}
