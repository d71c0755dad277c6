package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Source is one input file.
type Source struct {
	Path string // as it is opened
	URI  string // as it is named: the path below the given directory or glob root, with slashes, or the base name
}

// Discover turns arguments into the files they mean, sorted by URI, bytewise.
// An argument is a file; a directory, which is searched at every depth; or a
// glob pattern that the shell has not expanded, whose root is the directory
// before its first wildcard. In directories, files named *.parquet, *.parq and
// *.pq count, and files without an extension that begin as Parquet does;
// entries whose name begins with a dot or an underscore, and checksum files
// (*.crc), do not. All faults are reported at once, as *InputError. Special
// cases are:
//
//	no arguments, a missing path, a pattern without a match and a directory without Parquet are faults
//	a directory of Delta, Iceberg or Hudi is a fault: its files are not its rows
//	a file that was given twice is a fault, and so are two files with one URI
//	anything that is neither a regular file nor a directory is a fault
func Discover(args []string) ([]Source, error) {
	if len(args) == 0 {
		return nil, fileError("", RuleNoInput, "no log was given", "name Parquet files, directories or patterns", nil)
	}
	var d discovery
	for _, arg := range args {
		d.argument(arg)
	}
	slices.SortStableFunc(d.found, func(a, b Source) int {
		return cmp.Or(strings.Compare(a.URI, b.URI), strings.Compare(a.Path, b.Path))
	})
	d.duplicates()
	if err := errors.Join(d.faults...); err != nil {
		return nil, err
	}
	return d.found, nil
}

type discovery struct {
	found  []Source
	faults []error
	tables map[string]bool // directories that were reported as tables
}

func (d *discovery) fault(file, rule, what, mend string, cause error) {
	d.faults = append(d.faults, fileError(file, rule, what, mend, cause))
}

// argument adds what one argument means.
func (d *discovery) argument(arg string) {
	info, err := os.Stat(arg)
	switch {
	case err == nil:
		d.path(arg, info, "")
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		d.glob(arg)
	case errors.Is(err, fs.ErrNotExist):
		d.fault(arg, RuleNoInput, "does not exist", "check the path", nil)
	default:
		d.fault(arg, RuleNoInput, "cannot be read", "check its permissions", err)
	}
}

// path adds a file, or the files of a directory. Root is what URIs are below;
// "" for an argument of its own.
func (d *discovery) path(path string, info fs.FileInfo, root string) {
	switch {
	case info.IsDir() && root == "":
		d.directory(path, path)
	case info.IsDir():
		d.directory(path, root)
	case !info.Mode().IsRegular():
		d.fault(path, RuleNoInput, "is not a regular file", "copy the log to a file", nil)
	case d.isTable(tableRoot(filepath.Dir(path))):
	case root == "":
		d.add(path, filepath.Base(path))
	default:
		d.add(path, below(root, path))
	}
}

func (d *discovery) add(path, uri string) {
	d.found = append(d.found, Source{Path: path, URI: uri})
}

// below is the path below root, with slashes.
func below(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = filepath.Base(path)
	}
	return filepath.ToSlash(rel)
}

// glob adds what a pattern matches.
func (d *discovery) glob(pattern string) {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		d.fault(pattern, RuleNoInput, "is not a valid pattern", "close its brackets, or quote it", err)
		return
	}
	root := pattern
	for strings.ContainsAny(root, "*?[") {
		root = filepath.Dir(root)
	}
	before := len(d.found) + len(d.faults)
	for _, m := range matches {
		if info, err := os.Stat(m); err != nil {
			d.fault(m, RuleNoInput, "cannot be read", "check its permissions", err)
		} else if !skipped(filepath.Base(m)) {
			d.path(m, info, root)
		}
	}
	if len(d.found)+len(d.faults) == before {
		d.fault(pattern, RuleNoInput, "matches no Parquet file", "check the pattern", nil)
	}
}

// directory adds the Parquet files below dir.
func (d *discovery) directory(dir, root string) {
	if d.isTable(tableRoot(dir)) {
		return
	}
	before := len(d.found) + len(d.faults)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			d.fault(path, RuleNoInput, "cannot be read", "check its permissions", err)
			return nil
		case path == dir:
			return nil
		case skipped(e.Name()) && e.IsDir():
			return fs.SkipDir
		case skipped(e.Name()):
			return nil
		case e.IsDir() && d.isTable(path):
			return fs.SkipDir
		case e.IsDir():
			return nil
		}
		d.entry(path, root)
		return nil
	})
	if err != nil {
		d.fault(dir, RuleNoInput, "cannot be read", "check its permissions", err)
	}
	if len(d.found)+len(d.faults) == before {
		d.fault(dir, RuleNoInput, "holds no Parquet file", "name the directory that does, or the files", nil)
	}
}

// entry adds a file of a directory if it looks like Parquet.
func (d *discovery) entry(path, root string) {
	info, err := os.Stat(path) // follows links
	if err != nil {
		d.fault(path, RuleNoInput, "cannot be read", "check where it links to", err)
		return
	}
	switch {
	case info.Mode().IsRegular() && looksLikeParquet(path):
		d.add(path, below(root, path))
	case !info.Mode().IsRegular() && hasParquetExtension(path): // its rows would be missed
		d.fault(path, RuleNoInput, "is not a regular file", "copy the log to a file", nil)
	}
}

// skipped reports whether an entry of a directory is not data by its name.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, ".crc")
}

func hasParquetExtension(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".parquet", ".parq", ".pq":
		return true
	}
	return false
}

// looksLikeParquet goes by the extension, and where there is none, as in
// Hive's 000000_0, by the first bytes.
func looksLikeParquet(path string) bool {
	if filepath.Ext(path) != "" {
		return hasParquetExtension(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var head [4]byte
	_, err = io.ReadFull(file, head[:])
	return err == nil && string(head[:]) == "PAR1"
}

// duplicates reports files that were given twice and URIs that name two.
func (d *discovery) duplicates() {
	const mend = "give the directory above them once, so that every file has a path of its own"
	for i := 1; i < len(d.found); i++ {
		a, b := d.found[i-1], d.found[i]
		if a.URI != b.URI {
			continue
		}
		if sameFile(a.Path, b.Path) {
			d.fault(b.Path, RuleDuplicate, "was given twice, and its rows would count twice", "give it once", nil)
			continue
		}
		d.fault(b.Path, RuleDuplicate, fmt.Sprintf("and %s would both be called %q in the report", a.Path, a.URI), mend, nil)
	}
	seen := map[string]string{}
	for _, s := range d.found {
		target, err := filepath.EvalSymlinks(s.Path)
		if err != nil {
			continue // opening it will say so
		}
		if target, err = filepath.Abs(target); err != nil {
			continue
		}
		if first, ok := seen[target]; ok && first != s.URI {
			d.fault(s.Path, RuleDuplicate, fmt.Sprintf("is the file that is also given as %q, and its rows would count twice", first), "give it once", nil)
		}
		seen[target] = s.URI
	}
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
