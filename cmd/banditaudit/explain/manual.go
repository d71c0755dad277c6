package explain

import "strings"

// The manual is Markdown of a few forms: sections behind "## ", paragraphs, and items
// behind "- ", whose heads end with a colon.

// parts is a text as the only passage; nothing where there is none.
func parts(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// section is what stands below a heading of the second level; "" where there is none.
func section(page, heading string) string {
	_, after, found := strings.Cut("\n"+page, "\n## "+heading+"\n")
	if !found {
		return ""
	}
	text, _, _ := strings.Cut(after, "\n## ")
	return strings.Trim(text, "\n")
}

// paragraphs returns the first passage that begins with a name in bold, up to the next
// paragraph that begins in bold, or the next heading; nil where there is none.
func paragraphs(page, name string) []string {
	_, after, found := strings.Cut("\n"+page, "\n**"+name+"**")
	if !found {
		return nil
	}
	text := "**" + name + "**" + after
	for _, end := range []string{"\n\n**", "\n## "} {
		text, _, _ = strings.Cut(text, end)
	}
	return []string{strings.Trim(text, "\n")}
}

// itemsOf are the items of lists whose heads have a name between backticks.
func itemsOf(page, name string) []string {
	var out []string
	for item := range strings.SplitSeq("\n"+page, "\n- ") {
		head, _, _ := strings.Cut(item, ": ")
		if strings.Contains(head, "\n\n") || !strings.Contains(head, "`"+name+"`") {
			continue
		}
		item, _, _ = strings.Cut(item, "\n\n")
		out = append(out, "- "+strings.TrimRight(item, "\n"))
	}
	return out
}
