package files

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

// sort puts files in the order of their URIs.
func (d *discovery) sort() {
	slices.SortStableFunc(d.found, func(a, b Source) int {
		return cmp.Or(strings.Compare(a.URI, b.URI), strings.Compare(a.Path, b.Path))
	})
}

// duplicates reports files that were given twice: by one path, by links, or as
// two names of one file.
func (d *discovery) duplicates() {
	d.sort()
	seen := map[fileID]int{} // by its place in found
	for i, s := range d.found {
		if d.stop() != nil {
			return
		}
		id, ok := identify(s.Path)
		if !ok {
			continue // opening it will say so
		}
		first, twice := seen[id]
		switch {
		case twice && s.URI == d.found[first].URI:
			d.fault(s.Path, fault.RuleDuplicate, "was given twice, and its rows would count twice", "give it once", nil)
		case twice:
			d.fault(s.Path, fault.RuleDuplicate, fmt.Sprintf("is the file that is also given as %s, and its rows would count twice", schemas.Quoted(d.found[first].URI)), "give it once", nil)
		default:
			seen[id] = i
		}
	}
}

// collide reports whether two of the files, which are in order, have one URI.
func (d *discovery) collide() bool {
	for i := 1; i < len(d.found); i++ {
		if d.found[i].URI == d.found[i-1].URI {
			return true
		}
	}
	return false
}

// rename names all files by their path below the deepest directory that is above
// all of them, as if that directory had been given.
func (d *discovery) rename() {
	root, err := directoryAbove(d.found)
	if err != nil {
		d.fault("", fault.RuleDuplicate, "two files have one name", "give the directory above them once, so that every file has a path of its own", err)
		return
	}
	if err = Below(root, d.found); err != nil { // directoryAbove has looked
		d.fault("", fault.RuleDuplicate, "two files have one name", "give the directory above them", err)
	}
}

// Below names files by their paths below a directory, as if that had been given. A file
// that is not below it is an error.
func Below(root string, found []Source) error {
	above, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	for i := range found {
		path, err := filepath.Abs(found[i].Path)
		if err != nil {
			return err
		}
		if !within(above, path) {
			return fmt.Errorf("%s is not below %s", schemas.Printable(found[i].Path), schemas.Printable(root))
		}
		found[i].URI, found[i].Partitions = below(above, path), partitions(above, path)
	}
	return nil
}

// directoryAbove is the deepest directory that all files are below.
func directoryAbove(files []Source) (string, error) {
	var root string
	for i := range files {
		dir, err := filepath.Abs(filepath.Dir(files[i].Path))
		if err != nil {
			return "", err
		}
		if i == 0 {
			root = dir
		}
		for dir != root && !within(root, dir) {
			up := filepath.Dir(root)
			if up == root {
				return "", fmt.Errorf("no directory is above both %s and %s", files[0].Path, files[i].Path)
			}
			root = up
		}
	}
	return root, nil
}
