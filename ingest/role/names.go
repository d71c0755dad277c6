package role

import (
	"slices"
	"strings"
	"unicode"
)

// Words are the parts of a column's name, in lower case: of "userId",
// "user_id" and "ctx.user-id" the last two are "user" and "id".
func Words(name string) []string {
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			all = append(all, string(word))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(runes[i-1]):
			end()
		case unicode.IsDigit(r) != (len(word) > 0 && unicode.IsDigit(word[len(word)-1])) && len(word) > 0:
			end()
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return all
}

// Vocabulary are the names that columns of a role have.
type Vocabulary struct {
	Whole []string // names, their words joined by a space
	Parts []string // words that a name may hold
	Never []string // words that a name of the role does not hold
}

// Weights of what speaks for a role.
const (
	NameWhole = 60
	NamePart  = 40
)

// match says how well a name goes with a role: nameWhole, namePart or 0.
func (v *Vocabulary) match(name string) int {
	parts := lastWords(name)
	for _, w := range parts {
		if slices.Contains(v.Never, w) {
			return 0
		}
	}
	if slices.Contains(v.Whole, strings.Join(parts, " ")) {
		return NameWhole
	}
	for _, w := range parts {
		if slices.Contains(v.Parts, w) {
			return NamePart
		}
	}
	return 0
}

// lastWords returns the words in the last part of a name with dots.
func lastWords(name string) []string { return Words(name[strings.LastIndexByte(name, '.')+1:]) }

// SQLName is a column's name as SQL writes it.
func SQLName(name string) string {
	for i, r := range name {
		if !unicode.IsLetter(r) && r != '_' && r != '.' && (i == 0 || !unicode.IsDigit(r)) {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// IsSlotName reports whether a name says that the column is a place among others, as on a
// page: it sets rows apart that were shown together, and orders no rounds.
func IsSlotName(name string) bool {
	return slices.ContainsFunc(lastWords(name), func(w string) bool { return slices.Contains([]string{"position", "rank", "slot"}, w) })
}

// IsKeyName reports whether a name says that the column identifies something.
func IsKeyName(name string) bool {
	parts := Words(name)
	last := parts[max(len(parts)-1, 0):]
	return len(last) == 1 && slices.Contains([]string{"id", "uuid", "guid", "key", "hash"}, last[0])
}
