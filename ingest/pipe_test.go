//go:build unix

package ingest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableaudir"
)

// Pipes and devices are refused at once, wherever they are given: opening a
// pipe would wait for its writer.
func TestPipesAndDevices(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "log.parquet")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("this file system makes no named pipes: ", err)
	}
	link := filepath.Join(t.TempDir(), "link.parquet")
	if err := os.Symlink(pipe, link); err != nil {
		t.Skip("this file system makes no symbolic links: ", err)
	}
	for _, arg := range []string{pipe, link, os.DevNull, "/dev/stdin", dir, filepath.Dir(link), filepath.Join(dir, "*.parquet")} {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			continue // the test's own input may be a file
		}
		_, err := files.Discover(t.Context(), []string{arg})
		_ = ingesttest.WantFault(t, err, fault.RuleNoInput)
	}
	for _, path := range []string{pipe, link, os.DevNull, dir} {
		_, err := Ingest(t.Context(), protocol(), []files.Source{{Path: path, URI: "log.parquet"}}, t.TempDir(), Options{})
		_ = ingesttest.WantFault(t, err, fault.RuleNoInput)
		_, err = Inspect(t.Context(), protocol(), []files.Source{{Path: path, URI: "log.parquet"}}, Options{})
		_ = ingesttest.WantFault(t, err, fault.RuleNoInput)
	}
}

func TestOpenPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, tableaudir.ManifestFile), 0o600); err != nil {
		t.Skip("this file system makes no named pipes: ", err)
	}
	_, _, err := tableaudir.Open(dir)
	_ = ingesttest.WantFault(t, err, fault.RuleTableau)
}
