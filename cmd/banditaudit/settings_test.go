package main

import (
	"strconv"
	"strings"
	"testing"

	"banditaudit/cmd/kit"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"64MiB": 64 << 20, "512MiB": 512 << 20, "4GiB": 4 << 30, "0.5GiB": 1 << 29, "1TiB": 1 << 40, "80000KiB": 80_000 << 10,
		"70MB": 70e6, "80000kB": 80e6, "2GB": 2e9, "1TB": 1e12, "67108864": 1 << 26, "67108864B": 1 << 26, "1e9": 1e9,
		"512 MiB": 512 << 20, " 512MiB": 512 << 20, "1024TiB": 1 << 50,
		"": 0, "MiB": 0, "x": 0, "512mib": 0, "512M": 0, "512KB": 0, "63MiB": 0, "67108863": 0, "-512MiB": 0, "0": 0,
		"NaN": 0, "NaNMiB": 0, "Inf": 0, "infGiB": 0, "1e400": 0, "1025TiB": 0, "1,000,000,000": 0, "4GiBGiB": 0,
	} {
		got, err := kit.ParseSize(text)
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
		if err != nil && (kit.ExitCode(t.Context(), err) != kit.ExitUsage || !strings.Contains(err.Error(), "--max-memory is "+strconv.Quote(text))) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestProtocolAmongOperands: what needs a protocol names the operand that looks like one.
func TestProtocolAmongOperands(t *testing.T) {
	for line, want := range map[string]string{
		"validate": "-p FILE", "validate log": "-p FILE", "validate p.yaml": "-p p.yaml", "validate log sub/p.yml": "-p sub/p.yml", "audit -o out p.yaml log": "-p p.yaml",
	} {
		code, _, said := run(t, strings.Fields(line)...)
		if code != kit.ExitUsage || !strings.HasSuffix(strings.TrimSpace(said), want) {
			t.Errorf("%s: exit %d, %s", line, code, said)
		}
	}
}
