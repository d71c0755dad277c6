package layout

import "testing"

// TestReflow: paragraphs and items are broken anew, everything else stands.
func TestReflow(t *testing.T) {
	const text = `# A heading that is longer than a line

One two three
four five.

- item one that
  goes on and on
  - below it
    and more
1. first

    code  as it stands, however long it is
    - {id: H1, an: entry of a list in code}

      # and what goes on behind it
    - 2. more

| a | table that is longer than a line |
` + "```\nfenced  code\n\n- no item\n```\nend of it"
	const want = `# A heading that is longer than a line

One two three four
five.

- item one that goes
  on and on
  - below it and
    more
1. first

    code  as it stands, however long it is
    - {id: H1, an: entry of a list in code}

      # and what goes on behind it
    - 2. more

| a | table that is longer than a line |
` + "```\nfenced  code\n\n- no item\n```\nend of it\n"
	if got := Reflow(text, 20); got != want {
		t.Errorf("%s", got)
	}
	if got := Reflow(want, 20); got != want {
		t.Errorf("a second time: %s", got)
	}
}
