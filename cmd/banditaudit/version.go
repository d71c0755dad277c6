package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// build is what version prints and run.json records.
type build struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func thisBuild() build {
	b := build{Name: tool().Name, Version: toolVersion, Commit: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
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

func versionCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version, commit, Go version and platform",
		UsageText:   "banditaudit version | --version",
		Description: manual("run.json of a bundle has the same.", "banditaudit --version", "banditaudit version --json"),
		Flags:       flags("json"),
		Action:      action(p, needs{}, printVersion),
	}
}

func printVersion(_ *cli.Context, p *process, s *settings) error {
	b := thisBuild()
	if s.json {
		return notWritten(json.NewEncoder(p.stdout).Encode(b))
	}
	_, err := fmt.Fprintf(p.stdout, "%s %s (commit %s, %s, %s/%s)\n", b.Name, b.Version, b.Commit, b.Go, b.OS, b.Arch)
	return notWritten(err)
}
