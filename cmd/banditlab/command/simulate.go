package command

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/layout"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

func simulateCommand(p *process) *cli.Command {
	return &cli.Command{
		Name:      "simulate",
		Usage:     "write a log with known truth, and the protocol that audits it",
		UsageText: "banditlab simulate (--policy NAME --counter NAME | -p protocol.yaml) --rounds N -o DIR",
		Description: kit.Manual(`Plays a policy in a simulated world and writes the log, its seed, the truth, and a
protocol that audits the log unedited. help simulate lists worlds and faults.`,
			"banditlab simulate --policy ucb --counter exact --set 'width={c: 2}' --means 0.4,0.6 \\\n    --rounds 20000 -o DIR",
			"banditlab simulate --policy thompson --counter exact --means 0.4,0.6 --batch 50 --delay 20 \\\n    --rounds 20000 -o DIR"),
		Flags:  flags("protocol out json quiet no-progress max-memory force seed", append(worldFlags(p.catalogue.worlds), mechanismFlags()...)...),
		Action: action(p, kit.Needs{Out: true}, simulate),
	}
}

// worldFlags say what is simulated.
func worldFlags(worlds *world.Catalogue) []cli.Flag {
	names := worlds.Takers("")
	takers := func(flag string) string { return strings.Join(worlds.Takers(flag), " and ") }
	return []cli.Flag{
		&cli.StringFlag{Name: "world", Value: names[0], Usage: strings.Join(names, ", ")},
		&cli.StringFlag{Name: "means", Usage: "mean reward of each arm, `LIST` such as 0.4,0.6"},
		&cli.StringFlag{Name: "means-end", Usage: takers("means-end") + ": the means half a period later, `LIST` such as 0.6,0.4"},
		&cli.Int64Flag{Name: "period", DefaultText: "the end is reached in the last round", Usage: takers("period") + ": `ROUNDS` from --means to --means-end and back"},
		&cli.Float64Flag{Name: "concentration", DefaultText: "10", Usage: takers("concentration") + ": the `NUMBER` c"},
		&cli.Float64Flag{Name: "sd", DefaultText: "0.1", Usage: takers("sd") + ": standard `DEVIATION` of a reward"},
		&cli.StringFlag{Name: "theta", Usage: takers("theta") + ": coefficients arm by arm, `LIST/LIST` such as 0.2,0.9/0.7,0.1 (default: drawn from the seed)"},
		&cli.IntFlag{Name: "arms", DefaultText: "as many as there are means, rows of --theta, or labels", Usage: takers("theta") + " without --theta: the `NUMBER` of arms (without -p)"},
		&cli.StringFlag{Name: "labels", Usage: "arm labels, `LIST` such as control,blue (default arm-1, arm-2, …)"},
		&cli.IntFlag{Name: "context-dim", DefaultText: "0: no contexts", Usage: "coordinates of a context; rewards depend on it in the world " + takers("theta") + " only"},
		&cli.StringFlag{Name: "context", Value: "shared", Usage: "shared: one for all arms, or by-arm: one for each"},
		&cli.StringFlag{Name: "context-l1", Usage: "coordinates are uniform from 0 to `NUMBER`/context-dim, so that their sum is at most NUMBER (default 1 for a linear world or policy, else they are standard normal)"},
		&cli.Int64Flag{Name: "batch", DefaultText: "no batches", Usage: "`ROUNDS` of a batch; the policy learns between batches"},
		&cli.StringFlag{Name: "delay", Usage: "`ROUNDS` by which a reward is late: 20 for a geometric delay of that mean, fixed:20 for the same of every reward"},
		&cli.Float64Flag{Name: "never", DefaultText: "0", Usage: "`PROBABILITY` that a reward never becomes known to the policy"},
		&cli.Float64Flag{Name: "eligible", DefaultText: "every arm may", Usage: "`PROBABILITY` that an arm may be played in a round; at least one may"},
		&cli.StringFlag{Name: "fault", Usage: "`LIST` of what the bandit does otherwise than the protocol declares, such as half-scale"},
		&cli.Int64Flag{Name: "rounds", DefaultText: "required", Usage: "rounds of each experiment"},
		&cli.Int64Flag{Name: "repeat", Value: 1, Usage: "experiments in one log"},
		&cli.Int64Flag{Name: "rows-per-file", Value: 1_000_000, Usage: "rows of one Parquet file"},
		&cli.Int64Flag{Name: "rows-per-group", Value: 100_000, Usage: "rows of one row group"},
	}
}

// mechanismFlags declare what chooses, where no protocol does.
func mechanismFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "policy", Usage: "`NAME` of the policy (without -p)"},
		&cli.StringFlag{Name: "counter", Usage: "`NAME` of the counter (without -p)"},
		&cli.StringFlag{Name: "epsilon", Usage: "ε of each arm's counter (without -p)"},
		&cli.GenericFlag{Name: "set", Value: &assignments{}, Usage: "`KEY=VALUE` of a parameter of the policy or counter; may be repeated (without -p)"},
		&cli.StringFlag{Name: "log", Usage: "`LIST` of released (what the policy saw) and propensities (of every arm), to be logged too (without -p)"},
	}
}

func simulate(c *cli.Context, p *process, s *kit.Settings) error {
	if err := kit.CheckApart(s.Out, []string{s.Protocol}, nil); err != nil {
		return err
	}
	plan, err := simulation(c, p, s)
	if err != nil {
		return err
	}
	if err = simulable(plan.spec, s.MaxMemory); err != nil {
		return err
	}
	dir, err := kit.NewOutputDir(s.Out, s.Force)
	if err != nil {
		return err
	}
	defer dir.Discard() //nolint:errcheck // a left-over temporary directory is reported by the error that led here
	bar := s.NewProgress("simulate")
	bar.Unit = "rounds"
	plan.spec.Progress = bar.Update
	truth, err := world.Simulate(c.Context, plan.spec, dir.Path(kit.LogDir))
	bar.End()
	if err != nil {
		return err
	}
	if err := writeSimulation(dir, plan, truth); err != nil {
		return err
	}
	if err := kit.Unstopped(c.Context); err != nil {
		return err
	}
	return dir.Shown(func() error {
		return s.PrintDocument(truth, func() error { return printSimulation(p.Stdout, s.Out, truth) })
	})
}

// simulationPlan is what is simulated, under which protocol, and where its seed
// is written.
type simulationPlan struct {
	source   []byte // the protocol
	spec     *world.Spec
	seedFile string // inside the output
}

// simulation reads the flags into a specification. Without -p it writes the
// protocol itself and reads it back, so that both ways are one.
func simulation(c *cli.Context, p *process, s *kit.Settings) (*simulationPlan, error) {
	spec, err := readWorld(c, p)
	if err != nil {
		return nil, err
	}
	doc, err := simulationProtocol(c, p, s, spec)
	if err != nil {
		return nil, err
	}
	if s.Protocol != "" && !s.SeedGiven { // else no seed is read
		if err = kit.CheckApart(s.Out, []string{doc.SeedFile()}, nil); err != nil {
			return nil, err
		}
	}
	seed, err := masterSeed(s, doc)
	if err != nil {
		return nil, err
	}
	spec.Protocol, spec.Master = &doc.Protocol, seed.master
	if err := spec.Plan(); err != nil {
		if s.Protocol != "" {
			err = kit.Located(doc, err)
		}
		return nil, kit.Usagef("%s", err)
	}
	return &simulationPlan{doc.Source, spec, seed.file}, nil
}

// writeSimulation writes what stands beside the log. The seed goes to the file
// that the protocol names, so that the protocol audits the log unedited.
func writeSimulation(dir *kit.OutputDir, plan *simulationPlan, truth *world.Truth) error {
	truth.Tool = tool()
	encoded, err := schemas.Encode(truth)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{kit.ProtocolFile, plan.source},
		{plan.seedFile, []byte(hex.EncodeToString(plan.spec.Master[:]) + "\n")},
		{kit.TruthFile, encoded},
	} {
		if err := dir.Write(f.name, f.data); err != nil {
			return err
		}
	}
	return kit.NotWritten(os.Chmod(dir.Path(plan.seedFile), 0o600))
}

// simulable refuses, before anything is written, a simulation that is known to
// take more memory than is allowed.
func simulable(spec *world.Spec, limit int64) error {
	need, err := spec.Bytes()
	if err != nil || need <= limit-limit/4 {
		return err
	}
	return fmt.Errorf("%w: simulating this takes at least %d MiB, and --max-memory allows %d: linear policies keep a matrix of context-dim × context-dim for each arm, and truth.json has every experiment; "+
		"raise --max-memory, or simulate fewer arms, coordinates or experiments", fault.ErrResource, need>>20, limit>>20)
}

// printSimulation prints the truth of a simulated log in dir.
func printSimulation(w io.Writer, dir string, truth *world.Truth) error {
	t := layout.Columns(w)
	fmt.Fprintln(t, "ARM\tMEAN\tPULLS")
	first := truth.Experiments[0]
	for a, label := range truth.Labels {
		mean := "—" // it depends on the context
		if truth.Means != nil {
			mean = fmt.Sprintf("%g", truth.Means[a])
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", schemas.Printable(label), mean, schemas.Grouped(first.Pulls[a]))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n := len(truth.Experiments); n > 1 {
		fmt.Fprintf(w, "(pulls of experiment %s; %s experiments in all)\n", first.ID, schemas.Grouped(int64(n)))
	}
	if len(truth.Faults) > 0 {
		fmt.Fprintf(w, "(not what the protocol declares: %s)\n", strings.Join(truth.Faults, ", "))
	}
	_, err := fmt.Fprintf(w, "\n%s rounds, regret %.4g, in %s; audit it with\n  banditaudit audit -p %s/protocol.yaml -o OUT %s/log\n", schemas.Grouped(truth.Rounds), first.Regret, dir, dir, dir)
	return err
}
