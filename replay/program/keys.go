package program

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// twice returns a key that stands twice in an object, or once in other letters too, which
// encoding/json takes for the same; nil where none does. It looks at the members of the object
// itself, in a text that is known to be JSON.
func twice(object []byte) []byte {
	var keys [][]byte
	depth := 0
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := closing(object, i)
			name := plainKey(object[i : end+1])
			rest := bytes.TrimLeft(object[end+1:], " \t\r\n")
			if i = end; depth != 1 || len(rest) == 0 || rest[0] != ':' {
				continue
			}
			for _, key := range keys {
				if bytes.EqualFold(key, name) {
					return name
				}
			}
			keys = append(keys, name)
		}
	}
	return nil
}

// plainKey returns a quoted key as encoding/json reads it.
func plainKey(quoted []byte) []byte {
	name := quoted[1:max(1, len(quoted)-1)]
	var text string
	if (bytes.IndexByte(name, '\\') >= 0 || !utf8.Valid(name)) && json.Unmarshal(quoted, &text) == nil {
		return []byte(text)
	}
	return name
}

// closing returns the place of the quotation mark that ends the text that begins at one.
func closing(object []byte, at int) int {
	for at++; at < len(object)-1 && object[at] != '"'; at++ {
		if object[at] == '\\' {
			at++
		}
	}
	return min(at, len(object)-1)
}
