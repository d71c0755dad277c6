package command

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"banditaudit/cmd/banditlab/truth"
)

// counting is what the rows of this run are counted by.
func (p *process) counting() (truth.Made, error) {
	program, err := sources()
	if err != nil {
		return truth.Made{}, err
	}
	return truth.Made{Commit: commit("TRUTH"), Program: program, Date: p.today()}, nil
}

// commit is what is checked out, with "+" where a file was changed; the pages and
// counts themselves are not looked at.
func commit(page string) string {
	id, err := exec.Command("git", "rev-parse", "--short=7", "HEAD").Output()
	if err != nil {
		return "an unknown commit"
	}
	out := strings.TrimSpace(string(id))
	changed, err := exec.Command("git", "status", "--porcelain", "--", ".", ":!testdata/reproduce/"+page+".*").Output() //nolint:gosec // the name of a page
	if err != nil || len(changed) > 0 {
		out += "+"
	}
	return out
}

// sources is a digest of all files of this module that the audits are built from,
// of go.sum, of the version of Go and of the kind of processor.
func sources() (string, error) {
	const files = `{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.Dir}}/{{.}}
{{end}}{{range $.SFiles}}{{$.Dir}}/{{.}}
{{end}}{{range $.HFiles}}{{$.Dir}}/{{.}}
{{end}}{{range $.EmbedFiles}}{{$.Dir}}/{{.}}
{{end}}{{end}}{{end}}`
	list, err := exec.Command("go", "list", "-deps", "-f", files, "./cmd/banditlab/truth").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w; run it from the root of the module", withOutput(err))
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	paths := append(strings.Fields(string(list)), filepath.Join(root, "go.sum"))
	slices.Sort(paths)
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), runtime.GOARCH)
	for _, path := range slices.Compact(paths) {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %x\n", strings.TrimPrefix(path, root), sha256.Sum256(text))
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// withOutput adds what a command wrote to its standard error.
func withOutput(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}
