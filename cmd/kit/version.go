package kit

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// Version is the version that results carry. Two builds that could give
// different bytes have different versions.
const Version = "0.2.7"

// Build is what version prints and run.json records.
type Build struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// ThisBuild is the build of the program that runs.
func (g *Program) ThisBuild() Build {
	b := Build{Name: g.Name, Version: Version, Commit: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	modified := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+modified"
		}
	}
	b.Commit += modified
	return b
}

// VersionCommand is the command version.
func VersionCommand(p *Process) *cli.Command {
	name := p.Program.Name
	return &cli.Command{
		Name: "version", Usage: "print the version, commit, Go version and platform",
		UsageText:   name + " version | --version",
		Description: Manual("The version stands in every document that "+name+" writes.", name+" --version", name+" version --json"),
		Flags:       CommonFlags("json"),
		Action:      Action(p, Needs{}, func(_ *cli.Context, s *Settings) error { return p.printVersion(s) }),
	}
}

func (p *Process) printVersion(s *Settings) error {
	b := p.Program.ThisBuild()
	if s.JSON {
		return NotWritten(json.NewEncoder(p.Stdout).Encode(b))
	}
	_, err := fmt.Fprintf(p.Stdout, "%s %s (commit %s, %s, %s/%s)\n", b.Name, b.Version, b.Commit, b.Go, b.OS, b.Arch)
	return NotWritten(err)
}
