package kit

import (
	"io/fs"
	"slices"
	"strings"

	"banditaudit/cmd/kit/layout"
)

// Topic is a page of the manual, in Markdown.
type Topic struct {
	Name, About string
	Page        func() string
	Aliases     []Alias // other names, which help takes and no list shows
}

// Alias is another name of a topic, or of one section of it.
type Alias struct {
	Name    string
	Section string // heading of the section; empty: the whole page
}

// NewTopic is the topic whose page is topics/NAME.md of files, and what after adds to it; nil
// adds nothing. A page that is not there is a defect of the program, and panics.
func NewTopic(files fs.FS, name, about string, after func() string) Topic {
	return Topic{Name: name, About: about, Page: func() string {
		page, err := fs.ReadFile(files, "topics/"+name+".md")
		if err != nil {
			panic(err) // a topic without its file does not pass the tests
		}
		if after == nil {
			return string(page)
		}
		return string(page) + after()
	}}
}

// Items writes a list of a page.
func Items(b *strings.Builder, texts ...string) {
	for _, text := range texts {
		b.WriteString("- " + text + "\n")
	}
}

// Text is the page in lines of a width.
func (t *Topic) Text(width int) string { return layout.Reflow(t.Page(), width) }

// TopicNames are the names of topics, in their order.
func TopicNames(topics []Topic) []string {
	names := make([]string, len(topics))
	for i, t := range topics {
		names[i] = t.Name
	}
	return names
}

// TopicOf is the topic with a name or an alias; nil where there is none.
func TopicOf(topics []Topic, name string) *Topic {
	if i := slices.IndexFunc(topics, func(t Topic) bool { return t.Name == name }); i >= 0 {
		return &topics[i]
	}
	for j := range topics {
		t := &topics[j]
		if i := slices.IndexFunc(t.Aliases, func(a Alias) bool { return a.Name == name }); i >= 0 {
			return t.section(t.Aliases[i].Section)
		}
	}
	return nil
}

// section is the topic with one section as its page: the whole page where the heading is empty
// or is not there.
func (t *Topic) section(heading string) *Topic {
	part := *t
	part.Page = func() string {
		page := t.Page()
		_, text, found := strings.Cut(page, "\n## "+heading+"\n")
		if heading == "" || !found {
			return page
		}
		text, _, _ = strings.Cut(text, "\n## ")
		return "# " + heading + "\n" + strings.TrimRight(text, "\n") + "\n"
	}
	return &part
}
