package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"banditaudit/ingest/fault"
)

// listMark begins an argument that names a list of paths.
const listMark = "@"

// Bounds of a list of paths.
const (
	maxListBytes = 256 << 20
	maxListLine  = 64 << 10
)

// list adds what a list of paths means: @FILE. Every line is a path: a file, a
// directory or a pattern; relative paths are below the list's directory, which
// is also what URIs are below. Special cases are:
//
//	blank lines, and lines that begin with #, are passed over; so is white space around a path
//	a byte order mark and the carriage returns of Windows are passed over
//	a line that names another list is a fault
//	a list without a path is a fault
func (d *discovery) list(name string) {
	file, err := openList(name)
	if err != nil {
		d.fault(name, fault.RuleNoInput, "is not a list of paths", "name a text file with one path per line after the @", err)
		return
	}
	defer file.Close()
	lines := bufio.NewScanner(io.LimitReader(file, maxListBytes))
	lines.Buffer(nil, maxListLine)
	paths := 0
	for n := 1; d.stop() == nil && lines.Scan(); n++ {
		path := strings.TrimSpace(lines.Text())
		if n == 1 {
			path = strings.TrimSpace(strings.TrimPrefix(path, "\ufeff"))
		}
		if path == "" || strings.HasPrefix(path, "#") {
			continue
		}
		paths++
		d.place = fmt.Sprintf("%s:%d: ", name, n)
		d.line(filepath.Dir(name), path)
	}
	d.place = ""
	switch err := lines.Err(); {
	case err != nil:
		d.fault(name, fault.RuleNoInput, "is not a list of paths", "name a text file with one path per line after the @", err)
	case paths == 0:
		d.fault(name, fault.RuleNoInput, "lists no path", "write one path per line", nil)
	}
}

// openList opens a regular file: opening a pipe would wait for its writer.
func openList(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxListBytes:
		return nil, fmt.Errorf("%d bytes, more than %d", info.Size(), maxListBytes)
	}
	return os.Open(name)
}

// line adds what one line of a list means.
func (d *discovery) line(dir, path string) {
	if strings.HasPrefix(path, listMark) {
		d.fault(d.said(path), fault.RuleNoInput, "is a list within a list", "write its paths here, or write ./ before a path that begins with @", nil)
		return
	}
	if !filepath.IsAbs(path) && !IsRemote(path) {
		d.base = dir
		path = filepath.Join(dir, filepath.FromSlash(path))
	}
	d.argument(path)
	d.base = ""
}

// IsRemote reports whether a path is an address of another machine.
func IsRemote(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && scheme != "" && !strings.ContainsAny(scheme, `/\`)
}
