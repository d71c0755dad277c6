// Command notices prints the licences of what is linked into banditaudit and banditlab, on any of the
// systems that it is built for:
//
//	go run ./testdata/package/notices > THIRD_PARTY_NOTICES
//
// They are the files LICENSE*, COPYING*, NOTICE* and PATENTS*, and what stands in folders of
// licences, of Go and of every module: of its root, and of the folders of linked packages up
// to it. Code and fonts that a module has from elsewhere have licences of their own there, which
// tools that look for one licence of a module miss. A text that several have stands once. A
// module without any is an error.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

var (
	licence  = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)
	licences = regexp.MustCompile(`(?i)licen[cs]es$`) // a folder of them
)

// text is a licence, and whose it is.
type text struct {
	body string
	of   []string
}

// notices are all texts, in the order in which they are met.
type notices struct {
	texts []text
	seen  map[string]bool // files
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run() error {
	n := notices{seen: map[string]bool{}}
	if found, err := n.dir(runtime.GOROOT(), "Go"); err != nil || !found {
		return errors.Join(fmt.Errorf("%s has no licence of Go", runtime.GOROOT()), err)
	}
	linked, err := packages()
	if err != nil {
		return err
	}
	licensed := map[string]bool{}
	for _, p := range linked { // sorted, so that those of a module follow one another
		name, root, dir := p[0], p[1], p[2]
		for ; ; dir = filepath.Dir(dir) {
			found, err := n.dir(dir, name+strings.TrimPrefix(filepath.ToSlash(dir), filepath.ToSlash(root)))
			if err != nil {
				return err
			}
			licensed[name] = licensed[name] || found
			if len(dir) <= len(root) {
				break
			}
		}
	}
	for name, found := range licensed {
		if !found {
			return fmt.Errorf("%s has no file of a licence", name)
		}
	}
	return n.print()
}

// packages are the linked packages of other modules: module and version, the module's
// folder, the package's.
func packages() (out [][3]string, err error) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/banditaudit", "./cmd/banditlab")
		cmd.Env, cmd.Stderr = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"), os.Stderr
		list, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(list)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
				out = append(out, [3]string(f))
			}
		}
	}
	slices.SortFunc(out, func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out), nil
}

// dir takes up the licences of a folder, and reports whether there are any.
func (n *notices) dir(path, name string) (found bool, err error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		file := filepath.Join(path, e.Name())
		if e.IsDir() && licences.MatchString(e.Name()) {
			if _, err := n.dir(file, name+"/"+e.Name()); err != nil {
				return false, err
			}
		}
		if !e.Type().IsRegular() || strings.HasSuffix(e.Name(), ".go") || !licence.MatchString(e.Name()) && !licences.MatchString(path) {
			continue
		}
		found = true
		if n.seen[file] {
			continue
		}
		n.seen[file] = true
		b, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		n.add(string(bytes.TrimSpace(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))), name+"/"+e.Name())
	}
	return found, nil
}

func (n *notices) add(body, of string) {
	i := slices.IndexFunc(n.texts, func(t text) bool { return t.body == body })
	if i < 0 {
		i, n.texts = len(n.texts), append(n.texts, text{body: body})
	}
	n.texts[i].of = append(n.texts[i].of, of)
}

func (n *notices) print() error {
	var out strings.Builder
	out.WriteString("Licences of what is linked into banditaudit. Written by\n\n    go run ./testdata/package/notices > THIRD_PARTY_NOTICES\n")
	for _, t := range n.texts {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(t.of, "\n"), t.body)
	}
	_, err := os.Stdout.WriteString(out.String())
	return err
}
