package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/replay"
)

const root = "../../.."

// policies are those that simulate has.
func policies() []string {
	var names []string
	for _, d := range replay.Standard().Policies {
		names = append(names, d.Name)
	}
	return names
}

// run executes one command line in this process.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &kit.Process{Stdout: &out, Stderr: &errs, Now: time.Now, Argv: append([]string{"banditlab"}, args...)}
	code = New().Execute(t.Context(), p, args)
	return code, out.String(), errs.String()
}

// TestSimulateUsage: what is wrong on the command line is exit 2, names the
// flag and says what to write.
func TestSimulateUsage(t *testing.T) {
	dir := t.TempDir()
	protocol := filepath.Join(dir, "p.yaml")
	text := `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform}
`
	if err := os.WriteFile(protocol, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ucb := "--policy ucb --counter exact --rounds 10 "
	means := ucb + "--means 0.4,0.6 "
	declared := "-p " + protocol + " --rounds 10 --means 0.4,0.6 "
	for _, c := range []struct{ args, want string }{
		{"--rounds 10 --means 0.4,0.6", "needs -p FILE, or --policy and --counter"},
		{"--rounds 10 --means 0.4,0.6 --policy ucb", "needs -p FILE, or --policy and --counter"},
		{"--rounds 10 --means 0.4,0.6 --policy greedy --counter exact", `--policy greedy: policy.name is "greedy"`},
		{"--rounds 10 --means 0.4,0.6 --policy ucb --counter honaker --epsilon 1", "--counter honaker: there is no such counter; write one of exact, laplace, binary"},
		{"--rounds 10 --means 0.4,0.6 --policy ucb --counter honaker", "--counter honaker: there is no such counter; write one of exact, laplace, binary"},
		{"--rounds 10 --means 0.4,0.6 --policy ucb --counter hybrid", "the counter hybrid needs --epsilon"},
		{means + "--epsilon 1", "--epsilon belongs to a counter with noise"},
		{"--rounds 10 --means 0.4,0.6 --policy ucb --counter hybrid --epsilon -1", "--epsilon -1: counter.epsilon is -1"},
		{"--policy ucb --counter exact --means 0.4,0.6", "simulate needs --rounds"},
		{"--policy ucb --counter exact --means 0.4,0.6 --rounds 0", "--rounds is 0, must be at least 1"},
		{ucb, "give --means"},
		{ucb + "--means 0.4,x", `--means: "x" is not a number`},
		{ucb + "--means 0.4,1.6", "--means: mean 2 is 1.6, must be in [0,1]"},
		{means + "--world mars", `there is no "mars"; write one of bernoulli, beta, gaussian, linear, drift`},
		{means + "--sd 1", "--sd: the world bernoulli does not have it"},
		{means + "--world gaussian --sd 0", "--sd is 0, must be above 0"},
		{means + "--world gaussian --sd -1", "--sd is -1, must be above 0"},
		{ucb + "--world beta --means 0,0.5", "mean 1 is 0, must be in (0,1)"},
		{means + "--world beta --concentration 0.001", "--concentration: 0.001 times mean 1"},
		{means + "--world drift", "--means-end: the world drift needs the mean of each arm"},
		{means + "--world drift --means-end 0.4", "--means-end: has 1 means, and --means 2"},
		{means + "--world drift --means-end 0.4,0.5 --period 1", "--period: is 1, must be from 2"},
		{ucb + "--world linear", "--theta or --arms"},
		{ucb + "--world linear --arms 2", "--context-dim: a linear world or policy needs contexts"},
		{ucb + "--world linear --theta 1,2/3", "--theta: arm 2 has 1 numbers, and contexts have 2"},
		{ucb + "--world linear --theta 1,2//3,4", "--theta: arm 2 has no numbers"},
		{ucb + "--world linear --theta 1,2/3,4 --arms 3", "--arms is 3, and there are 2 rows of --theta"},
		{means + "--labels a,b,c", "3 labels for 2 means"},
		{means + "--labels a,a", "--labels: arms[1]"},
		{means + "--context both", `--context is "both", must be shared or by-arm`},
		{means + "--context by-arm", "--context-dim: contexts by arm need a number of coordinates"},
		{means + "--context-dim 2000", "context dimension 2000"},
		{means + "--context-dim 2 --context-l1 0", `--context-l1 is "0", must be a number above 0`},
		{means + "--batch 0", "--batch is 0, must be at least 1"},
		{means + "--delay x", `--delay is "x"`},
		{means + "--delay fixed:1.5", `--delay is "fixed:1.5"`},
		{means + "--never 1", "--never: 1, must be a probability below 1"},
		{means + "--eligible 2", "--eligible: 2, must be a probability above 0"},
		{means + "--eligible 0", "--eligible is 0, must be above 0"},
		{means + "--repeat 0", "--repeat is 0, must be at least 1"},
		{means + "--rows-per-file 0", "--rows-per-file is 0, must be at least 1"},
		{means + "--set floor", `"floor" is not KEY=VALUE`},
		{means + "--set floor=0.1 --set floor=0.2", "floor is given twice"},
		{means + "--set flor=0.1", `--set: "flor" is no parameter`},
		{means + "--set floor=2", "--set floor=2: policy.floor is 2"},
		{means + "--set eta=2", "--set eta=2: policy.eta does not belong here (ucb has: width, bonus, start, unseen; it is a key of: softmax); leave it out\n"},
		{means + "--set floor=@x", "--set: not YAML"},
		{"--rounds 10 --means 0.4,0.6 --policy softmax --counter exact --set eta=-1", "--set eta=-1: policy.eta is -1"},
		{"--rounds 10 --means 0.4,0.6 --policy uniform --log released", "--log released: the policy uniform reads no sums"},
		{"--rounds 10 --means 0.4,0.6 --policy linucb --counter exact", "--policy linucb chooses by contexts; write --context-dim 2"},
		{"--rounds 10 --means 0.4,0.6 --policy uniform --set grid=1", "--set: grid is a parameter of a counter"},
		{means + "--log rewards", `--log: "rewards" is neither released nor propensities`},
		{means + "--log propensities extra", "simulate takes no argument"},
		{declared + "--policy ucb", "--policy and -p exclude each other"},
		{declared + "--set floor=0.1", "--set and -p exclude each other"},
		{declared + "--repeat 2", "2 experiments in one log need experiment: {column: experiment}"},
		{declared + "--batch 5", "--batch: batches are not declared; add log.batch"},
		{declared + "--delay 5", "--delay and --never: that rewards are late is not declared; add log.reward_order"},
		{declared + "--eligible 0.5", "--eligible: that arms are missing is not declared; add log.eligible"},
		{declared + "--context by-arm --context-dim 2", "contexts by arm are not declared; add log.context_by_arm"},
		{declared + "--world gaussian", "gaussian pays rewards outside every range; declare reward: {range: [0, 1], out_of_range: clip}"},
		{"-p " + protocol + " --rounds 10 --means 0.4,0.6,0.7", "3 means for 2 declared arms"},
	} {
		out := filepath.Join(dir, "out")
		code, stdout, stderr := run(t, append([]string{"simulate", "-o", out}, strings.Fields(c.args)...)...)
		if code != kit.ExitUsage || stdout != "" || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "protocol.yaml:") {
			t.Errorf("%s: exit %d, want 2 and %q\n%s", c.args, code, c.want, stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("%s: an output was written", c.args)
		}
	}
}

// TestSimulateHelp: help names every world, policy and counter.
func TestSimulateHelp(t *testing.T) {
	code, stdout, _ := run(t, "simulate", "--help")
	if code != 0 {
		t.Fatalf("exit %d", code)
	}
	for _, word := range append(append(world.Standard().Takers(""), policies()...), analyze.Standard().Format().CounterNames()...) {
		if !strings.Contains(stdout, word) {
			t.Errorf("help does not name %s", word)
		}
	}
}

// TestFaultInWords: help has every fault, the summary and truth.json say which
// there are, and what cannot be is a usage error that names the flag.
func TestFaultInWords(t *testing.T) {
	_, help, _ := run(t, "simulate", "--help")
	help = strings.Join(strings.Fields(help), " ")
	for _, f := range world.Faults() {
		if !strings.Contains(help, f.Name) || !strings.Contains(help, f.Doc) {
			t.Errorf("help does not explain %s", f.Name)
		}
	}
	if !strings.Contains(help, "the p that is logged of a played arm can be 0") {
		t.Error("help does not say that a log may be refused")
	}
	dir := filepath.Join(t.TempDir(), "sim")
	args := []string{"simulate", "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--means", "0.4,0.6", "--rounds", "50", "-o", dir}
	if _, stdout, stderr := run(t, append(args, "--fault", "redraw,noise-over-n-twice")...); !strings.Contains(stdout, "(not what the protocol declares: redraw, noise-over-n-twice)") {
		t.Errorf("the summary does not say the faults\n%s%s", stdout, stderr)
	}
	refused(t, kit.ExitUsage, "--fault: propensity-stale: the policy ucb draws nothing", append(args[1:len(args)-2:len(args)-2], "--fault", "propensity-stale")...)
	refused(t, kit.ExitUsage, `--fault: there is no "x"`, append(args[1:len(args)-2:len(args)-2], "--fault", "x")...)
	refused(t, kit.ExitUsage, `--fault is ",", and a name is missing`, append(args[1:len(args)-2:len(args)-2], "--fault", ",")...)
	refused(t, kit.ExitUsage, `--fault is "redraw, ", and a name is missing`, append(args[1:len(args)-2:len(args)-2], "--fault", "redraw, ")...)
	refused(t, kit.ExitUsage, "redraw is given twice", append(args[1:len(args)-2:len(args)-2], "--fault", "redraw, redraw")...)
	refused(t, kit.ExitUsage, `--fault is empty`, append(args[1:len(args)-2:len(args)-2], "--fault", "")...)
}
