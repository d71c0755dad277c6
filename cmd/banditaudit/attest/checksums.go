package attest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Entry is a file of a bundle: its name below the bundle, with slashes, and the SHA-256
// of its content in lower-case hex.
type Entry struct{ Name, SHA256 string }

// Checksums is the list of a bundle's files in the order given, in the form that
// sha256sum -c reads.
func Checksums(files []Entry) []byte {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", f.SHA256, f.Name)
	}
	return b.Bytes()
}

// Listable reports whether a list of checksums can hold a name: it is UTF-8, without
// control characters, which could end a line of the list, and without backslashes, by
// which sha256sum marks a name that it writes in another way.
func Listable(name string) bool {
	return utf8.ValidString(name) && !strings.Contains(name, "\\") && !strings.ContainsFunc(name, unicode.IsControl)
}

// What can have happened to a file.
const (
	Changed = "changed"
	Missing = "missing"
	Added   = "added"
)

// Change is what happened to a file of a bundle.
type Change struct {
	Name string `json:"name"`
	What string `json:"what"` // changed | missing | added
	Why  string `json:"why"`  // "" where that says all
}

// listLine is a line of a list of checksums, also as other programs write it.
var listLine = regexp.MustCompile(`^([0-9A-Fa-f]{64}) [ *](.+?)\r?$`)

// Entries reads a list of checksums. Lines that are none are left out; capitals, a star
// before a name and ends of lines with a carriage return are read over.
func Entries(list []byte) []Entry {
	var out []Entry
	for line := range strings.Lines(string(list)) {
		if m := listLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			out = append(out, Entry{m[2], strings.ToLower(m[1])})
		}
	}
	return out
}

// Judge holds a list of checksums, which stands in a file of the given name, against the
// files that are there. It names every file that was changed, is missing or was added;
// nil where the list is, byte for byte, the list of the files. A list that is written in
// another way than Checksums writes it is itself a file that was changed.
func Judge(name string, list []byte, found []Entry) []Change {
	want := Checksums(found)
	if bytes.Equal(list, want) {
		return nil
	}
	var out []Change
	listed := map[string]string{}
	for _, e := range Entries(list) {
		listed[e.Name] = e.SHA256
	}
	for _, f := range found {
		digest, ok := listed[f.Name]
		switch {
		case !ok:
			out = append(out, Change{f.Name, Added, ""})
		case digest != f.SHA256:
			out = append(out, Change{f.Name, Changed, "or its line of " + name + " was"})
		}
		delete(listed, f.Name)
	}
	for _, e := range Entries(list) {
		if _, ok := listed[e.Name]; ok {
			out = append(out, Change{e.Name, Missing, ""})
			delete(listed, e.Name)
		}
	}
	unlistable := slices.ContainsFunc(Entries(list), func(e Entry) bool { return !Listable(e.Name) })
	if !bytes.Equal(Checksums(Entries(list)), list) || unlistable || out == nil {
		out = append(out, Change{name, Changed, fmt.Sprintf("it is not written as the list of the files is: line %d", lineOf(list, want))})
	}
	return out
}

// lineOf is the number of the first line in which two texts differ, from 1.
func lineOf(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}
