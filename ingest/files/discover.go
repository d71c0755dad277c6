// Package files finds the files of a log, and the columns that a file has by
// its place; see Discover.
package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"banditaudit/ingest/fault"
)

// Source is one input file.
type Source struct {
	Path string // as it is opened
	URI  string // as it is named: the path below the given directory or glob root, with slashes, or the base name; see Discover where two collide
	// Partitions are the columns that it has by its place, outermost first.
	Partitions []Partition
	// Found is where it was looked for: the directory that was searched, the
	// pattern that it matches itself, or Path where it was named.
	Found string
}

// Discover turns arguments into the files they mean, sorted by URI, bytewise.
// An argument is a file; a directory, which is searched at every depth; a
// glob pattern that the shell has not expanded, whose root is the directory
// before its first wildcard; or @FILE, a list of such paths, one per line, that
// are relative to it. In directories, files named *.parquet, *.parq and
// *.pq count, and files without an extension that begin as Parquet does;
// entries whose name begins with a dot or an underscore, and checksum files
// (*.crc), do not. All faults are reported at once, as *InputError; when ctx is
// cancelled its error is all. Special
// cases are:
//
//	no arguments, a missing path, a pattern without a match and a directory without Parquet are faults
//	a file of CSV or JSON, packed or not, is a fault, whose mend is the command that converts it
//	a directory of Delta, Iceberg or Hudi is a fault: its files are not its rows
//	a file that was given twice is a fault, be it by a link
//	where two files would have one URI, as with log/dt=* that the shell has expanded, all files are
//	named by their path below the deepest directory that is above all of them, and have the
//	partitions that they have below it
//	anything that is neither a regular file nor a directory is a fault
//	a file whose name begins with @ is given as ./@name
//	URIs of a list's relative paths are below the list's directory
func Discover(ctx context.Context, args []string) ([]Source, error) {
	if len(args) == 0 {
		return nil, fault.OfFile("", fault.RuleNoInput, "no log was given", "name Parquet files, directories or patterns", nil)
	}
	d := discovery{stop: func() error { return fault.Stopped(ctx) }}
	for _, arg := range args {
		if d.stop() != nil {
			break
		}
		if name, ok := strings.CutPrefix(arg, listMark); ok {
			d.list(name)
			continue
		}
		d.argument(arg)
	}
	d.duplicates()
	if err := d.stop(); err != nil {
		return nil, err
	}
	if len(d.faults) == 0 && d.collide() {
		d.rename()
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	d.sort()
	return d.found, nil
}

type discovery struct {
	stop   func() error // the error of a run that was cancelled; what is added then does not matter
	found  []Source
	faults []error
	more   int             // faults beyond maxFileFaults
	tables map[string]bool // directories that were looked at, by whether they are or are in a table
	place  string          // of the argument: "list:line: ", or ""
	told   string          // the pattern of which it was said that it matches files of text, or ""
	match  string          // the pattern whose matches are being added, or ""
	base   string          // directory of the list that a relative argument stands in, or ""
}

func (d *discovery) fault(file, rule, what, mend string, cause error) {
	if len(d.faults) == fault.MaxFileFaults {
		d.more++
		return
	}
	d.faults = append(d.faults, fault.OfFile(d.place+file, rule, what, mend, cause))
}

// said is an argument as a fault names it. A line of a list that is no path is not
// shown: what was taken for a list may be anything.
func (d *discovery) said(arg string) string {
	if d.place != "" {
		return "the path there"
	}
	return arg
}

// count is the number of files and faults so far.
func (d *discovery) count() int { return len(d.found) + len(d.faults) + d.more }

// err joins the faults.
func (d *discovery) err() error {
	if d.more > 0 {
		d.faults = append(d.faults, fault.OfFile("", fault.RuleNoInput, fmt.Sprintf("%d more faults like these", d.more), "mend these first", nil))
	}
	return errors.Join(d.faults...)
}

// argument adds what one argument means.
func (d *discovery) argument(arg string) {
	info, err := os.Stat(arg)
	switch {
	case err == nil:
		d.path(arg, info, d.base)
	case IsRemote(arg):
		d.fault(d.said(arg), fault.RuleNoInput, "is an address, not a path", "copy the log to this machine first: aws s3 cp --recursive ADDRESS log/, or duckdb -c \"COPY (FROM 'ADDRESS') TO 'log.parquet'\"", nil)
	case arg == "-":
		d.fault(d.said(arg), fault.RuleNoInput, "is standard input, and Parquet is read from its end", "write the rows to a file, and name that", nil)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		d.glob(arg)
	case errors.Is(err, fs.ErrNotExist):
		d.fault(d.said(arg), fault.RuleNoInput, "does not exist", "check the path", nil)
	default:
		d.fault(d.said(arg), fault.RuleNoInput, "cannot be read", "check its permissions", err)
	}
}

// path adds a file, or the files of a directory. Root is what URIs are below;
// "" for an argument of its own, or where path is not below it.
func (d *discovery) path(path string, info fs.FileInfo, root string) {
	if root != "" && strings.HasPrefix(below(root, path), "../") {
		root = ""
	}
	switch {
	case info.IsDir() && root == "":
		d.directory(path, path)
	case info.IsDir():
		d.directory(path, root)
	case !info.Mode().IsRegular():
		d.fault(path, fault.RuleNoInput, "is not a regular file", "copy the log to a file", nil)
	case d.inTable(filepath.Dir(path)):
	case isText(path):
		d.text(path)
	case root == "" && isList(path):
		d.fault(path, fault.RuleNoInput, "is no Parquet file", "write @"+path+" if it is a list of paths", nil)
	case root == "":
		d.add(path, filepath.Dir(path), cmp.Or(d.match, path))
	default:
		d.add(path, root, cmp.Or(d.match, path))
	}
}

func (d *discovery) add(path, root, found string) {
	d.found = append(d.found, Source{Path: path, URI: below(root, path), Partitions: partitions(root, path), Found: found})
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
		d.fault(d.said(pattern), fault.RuleNoInput, "is not a valid pattern", "close its brackets, or quote it", err)
		return
	}
	root := d.base
	if root == "" {
		root = pattern
	}
	for d.base == "" && strings.ContainsAny(root, "*?[") {
		root = filepath.Dir(root)
	}
	before := d.count()
	d.match = pattern
	for _, m := range matches {
		if d.stop() != nil {
			break
		}
		if info, err := os.Stat(m); err != nil {
			d.fault(m, fault.RuleNoInput, "cannot be read", "check its permissions", err)
		} else if !skipped(filepath.Base(m)) {
			d.path(m, info, root)
		}
	}
	d.match = ""
	if d.count() == before {
		d.fault(d.said(pattern), fault.RuleNoInput, "matches no Parquet file", "check the pattern", nil)
	}
}

// directory adds the Parquet files below dir.
func (d *discovery) directory(dir, root string) {
	if d.inTable(dir) {
		return
	}
	before := d.count()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case d.stop() != nil:
			return fs.SkipAll
		case err != nil:
			d.fault(path, fault.RuleNoInput, "cannot be read", "check its permissions", err)
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
		d.entry(path, root, dir)
		return nil
	})
	if err != nil {
		d.fault(dir, fault.RuleNoInput, "cannot be read", "check its permissions", err)
	}
	if d.count() > before {
		return
	}
	if texts := textBelow(dir); texts != "" {
		kind, _ := textOf(texts)
		d.fault(dir, fault.RuleText, "holds "+kind+" and no Parquet file, and logs are read as Parquet", "convert it, for instance with DuckDB: "+convert(texts), nil)
		return
	}
	d.fault(dir, fault.RuleNoInput, "holds no Parquet file", "name the directory that does, or the files", nil)
}

// entry adds a file of the searched directory dir if it looks like Parquet.
func (d *discovery) entry(path, root, dir string) {
	info, err := os.Stat(path) // follows links
	if err != nil {
		d.fault(path, fault.RuleNoInput, "cannot be read", "check where it links to", err)
		return
	}
	switch looks, err := looksLikeParquet(path, info); {
	case err != nil: // its rows might be missed
		d.fault(path, fault.RuleNoInput, "cannot be opened", "check its permissions, or give it a name that is no log's", err)
	case looks:
		d.add(path, root, dir)
	case !info.Mode().IsRegular() && hasParquetExtension(path): // its rows would be missed
		d.fault(path, fault.RuleNoInput, "is not a regular file", "copy the log to a file", nil)
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
func looksLikeParquet(path string, info fs.FileInfo) (bool, error) {
	switch {
	case !info.Mode().IsRegular():
		return false, nil
	case filepath.Ext(path) != "":
		return hasParquetExtension(path), nil
	}
	return beginsAsParquet(path)
}

// beginsAsParquet looks at the first bytes of a file. The error comes from opening the
// file; a file shorter than four bytes is no Parquet file, and no error.
func beginsAsParquet(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var head [4]byte
	_, err = io.ReadFull(file, head[:])
	return err == nil && string(head[:]) == "PAR1", nil
}

// isList reports whether a file is a text by its name and not Parquet.
func isList(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".txt", ".lst", ".list", ".manifest":
		looks, err := beginsAsParquet(path)
		return err == nil && !looks
	}
	return false
}
