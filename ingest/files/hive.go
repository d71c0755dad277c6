package files

import (
	"encoding/hex"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"banditaudit/ingest/pages"
)

// Partition is a column that a file has by its place: a directory named
// key=value above it, as Hive, Spark and Athena write them.
type Partition struct {
	Key   string // URL-decoded
	Value string // URL-decoded; "" of a null
	Null  bool   // the directory is named key=__HIVE_DEFAULT_PARTITION__
}

// hiveNull is the value under which Hive keeps rows whose partition is null.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

// partitions reads the partitions of a file's path, outermost first: every
// directory named key=value below root, and above root those that follow one
// another without another directory between them. Special cases are:
//
//	a directory whose name begins with "=" is no partition
//	key= is a partition with an empty text
//	%2F and the like are decoded; a % that begins no such code is a %
func partitions(root, path string) []Partition {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil
	}
	if root, err = filepath.Abs(root); err != nil {
		return nil
	}
	var found []Partition
	for inside := within(root, dir); ; inside = within(root, dir) {
		part, ok := partition(filepath.Base(dir))
		if ok {
			found = append(found, part)
		}
		up := filepath.Dir(dir)
		if !ok && !inside || up == dir {
			slices.Reverse(found)
			return found
		}
		dir = up
	}
}

// Partitions returns the partitions in a path below the root of a log, with slashes.
func Partitions(dir string) []Partition {
	var found []Partition
	for name := range strings.SplitSeq(dir, "/") {
		if part, ok := partition(name); ok {
			found = append(found, part)
		}
	}
	return found
}

// within reports whether dir lies below root.
func within(root, dir string) bool {
	return len(dir) > len(root) && strings.HasPrefix(dir, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

// partition reads the name of a directory.
func partition(name string) (Partition, bool) {
	key, value, ok := strings.Cut(name, "=")
	if !ok || key == "" {
		return Partition{}, false
	}
	if value == hiveNull {
		return Partition{Key: unescape(key), Null: true}, true
	}
	return Partition{Key: unescape(key), Value: unescape(value)}, true
}

// unescape decodes every %XX, and leaves any other % as it is. Unlike in a
// query, a plus is a plus.
func unescape(s string) string {
	var b strings.Builder
	for {
		plain, code, ok := strings.Cut(s, "%")
		b.WriteString(plain)
		if !ok {
			return b.String()
		}
		if v, err := hex.DecodeString(code[:min(2, len(code))]); err == nil && len(v) == 1 {
			b.Write(v)
			code = code[2:]
		} else {
			b.WriteByte('%')
		}
		s = code
	}
}

// PartitionKeys are, by key, what the partitions of a log's files are.
type PartitionKeys map[string]*partitionKey

// partitionKey is one key over all files.
type partitionKey struct {
	Files   int
	Nulls   int
	text    bool             // not every value is a whole number
	numbers map[int64]string // how whole numbers are written
	Values  map[string]bool
}

// Add counts the partitions of a file. A key is of whole numbers when all of
// its values are, as DuckDB and Spark have it, and no two of them are one
// number that is written in two ways, such as 7 and 07.
func (keys PartitionKeys) Add(parts []Partition) {
	for _, p := range parts {
		k := keys[p.Key]
		if k == nil {
			k = &partitionKey{numbers: map[int64]string{}, Values: map[string]bool{}}
			keys[p.Key] = k
		}
		k.Files++
		if p.Null {
			k.Nulls++
			continue
		}
		k.Values[p.Value] = true
		v, err := strconv.ParseInt(p.Value, 10, 64)
		if written, ok := k.numbers[v]; err != nil || ok && written != p.Value {
			k.text = true
			continue
		}
		k.numbers[v] = p.Value
	}
}

// Column is the key as a column.
func (k *partitionKey) Column(name string) *pages.Column {
	if k.text || len(k.numbers) == 0 {
		return &pages.Column{Path: name, Type: "partition of text", Kind: pages.Text}
	}
	return &pages.Column{Path: name, Type: "partition of whole numbers", Kind: pages.Int}
}

// Constant is the partition of one file as a column of it. It is nil where the
// path has no such key; twice says that it has two.
func (keys PartitionKeys) Constant(parts []Partition, name string) (c *Constant, twice bool) {
	for _, p := range parts {
		if p.Key != name {
			continue
		}
		if c != nil {
			return nil, true
		}
		c = &Constant{Column: keys[name].Column(name), null: p.Null, text: []byte(p.Value)}
		if !p.Null && c.Column.Kind == pages.Int {
			c.number, _ = strconv.ParseInt(p.Value, 10, 64) // add has parsed it
		}
	}
	return c, false
}
