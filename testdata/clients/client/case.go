// Package client audits logs that bandit libraries wrote, as they are and with ten
// rounds tampered with. The program that writes the page testdata/clients/CLIENTS.md is
// testdata/clients/clients.
package client

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Case is a log of a library's policy, and how it is declared.
type Case struct {
	Name     string // of its files NAME.yaml and NAME.parquet
	Says     string // the first line of the protocol, a comment: the library, its version, its policy
	Protocol string // its file
	Rows     []Row
}

// Cases are those of a directory of protocols, with logs from another, by name. A
// protocol without a log is left out.
func Cases(protocols, logs string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(protocols, "*.yaml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var out []Case
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		log := filepath.Join(logs, name+".parquet")
		if _, err := os.Stat(log); os.IsNotExist(err) {
			continue
		}
		c, err := read(name, file, log)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func read(name, file, log string) (Case, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Case{}, err
	}
	rows, err := readRows(log)
	if err != nil {
		return Case{}, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return Case{Name: name, Says: strings.TrimPrefix(first, "# "), Protocol: file, Rows: rows}, nil
}

// logsPropensities reports whether the log has any.
func (c *Case) logsPropensities() bool {
	return len(c.Rows) > 0 && (c.Rows[0].P != nil || len(c.Rows[0].ByArm) > 0)
}
