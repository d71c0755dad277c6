package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// tagPattern matches a tag of the page; what came from a log can hold no '<'.
func tagPattern() *regexp.Regexp { return regexp.MustCompile(`<(/?)([a-zA-Z0-9!]+)([^>]*)>`) }

// TestHTMLIsSelfContained: no scripts, nothing to load, no address outside the
// page, in every fixture whose text is ours.
func TestHTMLIsSelfContained(t *testing.T) {
	for _, name := range ours() {
		page := strings.ToLower(renderHTML(name))
		for _, bad := range []string{"http:", "https:", "<script", "src=", "javascript:", "url(", "@import", "<iframe", "<object", "<embed", "<link", "<base", "<form", "xlink:href"} {
			if i := strings.Index(page, bad); i >= 0 {
				t.Errorf("%s.html holds %q: %q", name, bad, page[max(0, i-40):min(len(page), i+40)])
			}
		}
	}
}

// TestHTMLElements: whatever a log holds, the page is made of the template's
// elements and attributes only, and they nest.
func TestHTMLElements(t *testing.T) {
	allowed := strings.Fields("html head meta title style body main nav ol ul li a h1 h2 h3 span p br strong code small b div table caption thead tbody tr th td figure figcaption pre details summary sup svg desc g path text")
	void := []string{"meta", "br", "path"}
	attribute := regexp.MustCompile(`([a-zA-Z:-]+)(="[^"]*")?`)
	names := strings.Fields("data-of lang charset name content http-equiv id href class scope title tabindex open aria-label role width height viewBox transform style d x y")
	for name := range fixtures() {
		page := renderHTML(name)
		var stack []string
		for _, m := range tagPattern().FindAllStringSubmatch(page, -1) {
			closing, tag, rest := m[1] == "/", m[2], strings.TrimSuffix(m[3], "/")
			switch {
			case tag == "!DOCTYPE":
				continue
			case !slices.Contains(allowed, tag):
				t.Fatalf("%s.html holds an element %q", name, m[0])
			case closing:
				if len(stack) == 0 || stack[len(stack)-1] != tag {
					t.Fatalf("%s.html closes %q inside %v", name, tag, stack)
				}
				stack = stack[:len(stack)-1]
			case !slices.Contains(void, tag):
				stack = append(stack, tag)
			}
			for _, a := range attribute.FindAllStringSubmatch(rest, -1) {
				if !slices.Contains(names, a[1]) {
					t.Fatalf("%s.html: attribute %q in %q", name, a[1], m[0])
				}
			}
		}
		for _, m := range regexp.MustCompile(`<th [^>]*></th>|<pre>|<div class="box">`).FindAllString(page, -1) { // which axe finds
			t.Errorf("%s.html: a head without words, or what scrolls and cannot be reached by a key: %s", name, m)
		}
		if len(stack) > 0 {
			t.Errorf("%s.html leaves open %v", name, stack)
		}
		if i := strings.IndexAny(tagPattern().ReplaceAllString(page, ""), "<"); i >= 0 {
			t.Errorf("%s.html holds a < that begins no element", name)
		}
	}
}

// TestHTMLAnchors: ids are unique, links lead to one of them, and every number
// of the tables of arms, tests and coefficients carries its pointer.
func TestHTMLAnchors(t *testing.T) {
	id, href := regexp.MustCompile(` id="([^"]*)"`), regexp.MustCompile(` href="#([^"]*)"`)
	for name := range fixtures() {
		page := renderHTML(name)
		seen := map[string]bool{}
		for _, m := range id.FindAllStringSubmatch(page, -1) {
			if seen[m[1]] {
				t.Errorf("%s.html: id %q stands twice", name, m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range href.FindAllStringSubmatch(page, -1) {
			if !seen[m[1]] {
				t.Errorf("%s.html: a link leads to %q, which is nowhere", name, m[1])
			}
		}
	}
	page := renderHTML("homepage")
	for _, want := range []string{
		`title="/experiments/0/arms/4/mean">0.6024<`, `title="/experiments/0/privacy/epsilon_realized">0.2084<`,
		`title="/experiments/0/tests/0/results/1/p"`, `title="/experiments/0/regressions/2/coefficients/1/estimate"`,
		`id="/experiments/0/arms/0"`, `title="/protocol/counter">name: hybrid; epsilon: 0.25;`, `href="#/experiments/0/replay"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("homepage.html does not hold %s", want)
		}
	}
}

// TestHTMLEscapes: hostile text is there, as text.
func TestHTMLEscapes(t *testing.T) {
	page := renderHTML("hostile")
	for _, want := range []string{"&lt;script&gt;alert(1)&lt;/script&gt;", "two⟨U+000A⟩lines", "rtl⟨U+202E⟩gnp.exe", "⟨U+200B⟩zero", "⟨empty⟩", "&#34; padded &#34;", "{{.Title}}", "⟨U+0000⟩⟨U+001B⟩[31m", "日本語のラベル"} {
		if !strings.Contains(page, want) {
			t.Errorf("hostile.html does not show %q", want)
		}
	}
	for _, r := range page {
		if r != '\n' && r != '\t' && schemas.Printable(string(r)) != string(r) {
			t.Fatalf("hostile.html holds %U", r)
		}
	}
}
