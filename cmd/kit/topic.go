package kit

import (
	"slices"

	"banditaudit/cmd/kit/layout"
)

// Topic is a page of the manual, in Markdown.
type Topic struct {
	Name, About string
	Page        func() string
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

// TopicOf is the topic with a name; nil where there is none.
func TopicOf(topics []Topic, name string) *Topic {
	if i := slices.IndexFunc(topics, func(t Topic) bool { return t.Name == name }); i >= 0 {
		return &topics[i]
	}
	return nil
}
