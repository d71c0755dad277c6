package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLintRulesMatchFiles: every pattern of files of an import rule matches some. A rule whose
// packages have moved is silent, and not red.
func TestLintRulesMatchFiles(t *testing.T) {
	var files []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rules := 0
	for _, list := range regexp.MustCompile(`(?m)^ +files: \[(.*)\]`).FindAllStringSubmatch(page(t, ".golangci.yml"), -1) {
		for _, m := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(list[1], -1) {
			if strings.HasPrefix(m[1], "!") || strings.HasPrefix(m[1], "$") {
				continue
			}
			rules++
			pattern := regexp.QuoteMeta(m[1])
			pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, `\*\*/`, `(.*/)?`), `\*`, `[^/]*`)
			match := regexp.MustCompile("^" + pattern + "$")
			found := false
			for _, f := range files {
				found = found || match.MatchString(f)
			}
			if !found {
				t.Errorf("no file is matched by %s", m[1])
			}
		}
	}
	if rules < 40 {
		t.Errorf("only %d patterns found in .golangci.yml", rules)
	}
}
