package command

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
)

// refused runs simulate and expects an exit code, one line that says why, and
// that nothing is left in the directory.
func refused(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	work := t.TempDir()
	got, stdout, stderr := run(t, append([]string{"simulate", "-o", filepath.Join(work, "out")}, args...)...)
	if got != code || stdout != "" || !strings.Contains(stderr, want) {
		t.Errorf("%q: exit %d, want %d and %q\n%s", args, got, code, want, stderr)
	}
	kittest.Holds(t, work)
}

// TestSimulateSizes: numbers that are too large are refused before anything is
// made of them.
func TestSimulateSizes(t *testing.T) {
	for _, dim := range []string{"9223372036854775807", "1099511627776", "65536", "1001", "-1"} {
		refused(t, kit.ExitUsage, "--context-dim: context dimension "+dim+", must be from 0 to 1000",
			"--policy", "ucb", "--counter", "exact", "--means", "0.4,0.6", "--rounds", "10", "--context-dim="+dim)
	}
	world := []string{"--world", "linear", "--context-dim", "2", "--rounds", "5"}
	for _, arms := range []string{"9223372036854775807", "1099511627776", "200000000", "20000000", "20001"} {
		refused(t, kit.ExitUsage, arms+" arms, by --arms; there can be at most 20000", append(world, "--policy", "ucb", "--counter", "exact", "--arms", arms)...)
	}
	refused(t, kit.ExitUsage, "10001 arms, by --labels; there can be at most 10000", append(world, "--policy", "fixed", "--labels", strings.Repeat("x,", 10_000)+"y")...)
	refused(t, kit.ExitUsage, "20001 arms, by --means; there can be at most 20000",
		"--policy", "uniform", "--rounds", "5", "--means", strings.Repeat("1,", 20_000)+"1")
	most := append([]string{"--policy", "uniform", "--arms", "20000"}, world...)
	if code, _, stderr := run(t, append([]string{"simulate", "-q", "-o", filepath.Join(t.TempDir(), "out")}, most...)...); code != 0 {
		t.Errorf("20,000 arms: exit %d\n%s", code, stderr)
	}
}

// TestSimulateMemory: what is known not to fit is refused before it is tried.
func TestSimulateMemory(t *testing.T) {
	refused(t, kit.ExitResource, "at least 11", "--policy", "linucb", "--counter", "hybrid", "--epsilon", "1", "--world", "linear",
		"--arms", "1000", "--context-dim", "1000", "--context", "by-arm", "--rounds", "20")
	refused(t, kit.ExitResource, "truth.json has every experiment", "--policy", "uniform", "--means", "0.4,0.6", "--rounds", "1", "--repeat", "2000000")
}

// TestSimulateStopped: a signal ends it, however short the experiments are.
func TestSimulateStopped(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		work := t.TempDir()
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(kit.Signalled(signal))
		var stderr bytes.Buffer
		p := &kit.Process{Stdout: &bytes.Buffer{}, Stderr: &stderr, Now: time.Now}
		args := []string{"simulate", "--policy", "uniform", "--means", "0.4,0.6", "--rounds", "3", "-o", filepath.Join(work, "out")}
		if code := New().Execute(ctx, p, args); code != 128+int(signal) {
			t.Errorf("%v: exit %d\n%s", signal, code, stderr.String())
		}
		kittest.Holds(t, work)
	}
}

// TestSimulateOneValue: a flag is one value of the protocol, not two keys of it.
func TestSimulateOneValue(t *testing.T) {
	private := []string{"--policy", "ucb", "--counter", "hybrid", "--means", "0.4,0.6", "--rounds", "10"}
	refused(t, kit.ExitUsage, `--epsilon: "1, horizon: 7" is not one value`, append(private, "--epsilon", "1, horizon: 7")...)
	refused(t, kit.ExitUsage, `horizon has the value "50, epsilon: 9"`, append(private, "--epsilon", "1", "--set", "horizon=50, epsilon: 9")...)
	refused(t, kit.ExitUsage, `width has the value "{c: 2}, floor: 0.1"`, append(private, "--epsilon", "1", "--set", "width={c: 2}, floor: 0.1")...)
	refused(t, kit.ExitUsage, "--policy", "--policy", "ucb\n  floor: 0.1", "--counter", "exact", "--means", "0.4,0.6", "--rounds", "10")
	refused(t, kit.ExitUsage, "--counter", "--policy", "ucb", "--counter", "hybrid, horizon: 7", "--epsilon", "1", "--means", "0.4,0.6", "--rounds", "10")
}
