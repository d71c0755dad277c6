package main

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/replay"
	"banditaudit/replay/world"
	"banditaudit/schemas"
)

func simulateCommand(p *process) *cli.Command {
	return &cli.Command{
		Name:  "simulate",
		Usage: "write a log with known truth, and the protocol that audits it",
		UsageText: "banditaudit simulate --policy ucb --counter hybrid --epsilon 0.25 --world bernoulli --means 0.4,0.6 --rounds 20000 -o DIR\n" +
			"   banditaudit simulate -p protocol.yaml --world bernoulli --means 0.4,0.6 --rounds 20000 -o DIR",
		Flags: flags(
			&cli.StringFlag{Name: "world", Value: "bernoulli", Usage: "bernoulli"},
			&cli.StringFlag{Name: "means", Usage: "mean reward of each arm, `LIST` such as 0.4,0.6"},
			&cli.StringFlag{Name: "labels", Usage: "arm labels, `LIST` such as control,blue (default arm-1, arm-2, …)"},
			&cli.IntFlag{Name: "context-dim", Usage: "coordinates of the context; rewards do not depend on it"},
			&cli.StringFlag{Name: "policy", Usage: "ucb or uniform (without -p)"},
			&cli.StringFlag{Name: "counter", Usage: "hybrid or exact (without -p)"},
			&cli.StringFlag{Name: "epsilon", Usage: "ε of each arm's counter (without -p)"},
			&cli.Int64Flag{Name: "rounds", Usage: "rounds of each experiment"},
			&cli.Int64Flag{Name: "repeat", Value: 1, Usage: "experiments in one log"},
			&cli.Int64Flag{Name: "rows-per-file", Value: 1_000_000, Usage: "rows of one Parquet file"},
			&cli.Int64Flag{Name: "rows-per-group", Value: 100_000, Usage: "rows of one row group"},
		),
		Action: action(p, needs{out: true}, simulate),
	}
}

func simulate(c *cli.Context, p *process, s *settings) error {
	if err := checkApart(s.out, []string{s.protocol}, nil); err != nil {
		return err
	}
	source, spec, err := simulation(c, s)
	if err != nil {
		return err
	}
	dir, err := newOutputDir(s.out, s.force)
	if err != nil {
		return err
	}
	defer dir.discard() //nolint:errcheck // a left-over temporary directory is reported by the error that led here
	truth, err := world.Simulate(c.Context, spec, dir.path(logDir))
	if err != nil {
		return err
	}
	if err := writeSimulation(dir, source, spec, truth); err != nil {
		return err
	}
	return dir.shown(func() error {
		return printDocument(p, s, truth, func() error { return simulationTable(p.stdout, s.out, truth) })
	})
}

// simulation reads the flags into a specification. Without -p it writes the
// protocol itself and reads it back, so that both ways are one.
func simulation(c *cli.Context, s *settings) (source []byte, spec *world.Spec, err error) {
	means, err := parseMeans(c.String("means"))
	if err != nil {
		return nil, nil, err
	}
	if c.String("world") != "bernoulli" {
		return nil, nil, usagef("--world is %q; this version has: bernoulli", c.String("world"))
	}
	doc, err := simulationProtocol(c, s, len(means))
	if err != nil {
		return nil, nil, err
	}
	spec = &world.Spec{
		Protocol: &doc.Protocol, Means: means, Rounds: c.Int64("rounds"), Repeat: c.Int64("repeat"), ContextDim: c.Int("context-dim"),
		RowsPerFile: c.Int64("rows-per-file"), RowsPerGroup: c.Int64("rows-per-group"), CreatedBy: "banditaudit version " + toolVersion,
	}
	spec.Master = masterSeed(s, doc)
	if spec.RowsPerFile < 1 || spec.RowsPerGroup < 1 {
		return nil, nil, usagef("--rows-per-file and --rows-per-group must be at least 1")
	}
	if err := spec.Check(); err != nil {
		return nil, nil, usagef("%s", err)
	}
	return doc.Source, spec, nil
}

func simulationProtocol(c *cli.Context, s *settings, k int) (*schemas.Document, error) {
	if s.protocol != "" {
		for _, name := range []string{"policy", "counter", "epsilon", "labels"} {
			if c.IsSet(name) {
				return nil, usagef("--%s and -p exclude each other: the protocol declares it", name)
			}
		}
		return loadDeclared(s)
	}
	starter, err := readStarter(c, k)
	if err != nil {
		return nil, err
	}
	return schemas.ParseProtocol(protocolFile, starter.Protocol())
}

// loadDeclared reads a protocol for simulation, whose seed file need not exist
// where --seed is given: it is what simulate writes.
func loadDeclared(s *settings) (*schemas.Document, error) {
	doc, err := loadProtocol(s.protocol, schemas.LoadOptions{SkipSeed: s.seedGiven})
	if err != nil {
		return nil, err
	}
	if doc.Protocol.Policy == nil {
		return nil, usagef("%s declares no policy; simulate needs one", s.protocol)
	}
	return doc, nil
}

func readStarter(c *cli.Context, k int) (*world.Starter, error) {
	st := &world.Starter{
		ID: "simulated", Policy: c.String("policy"), Counter: c.String("counter"), Epsilon: c.String("epsilon"),
		Rounds: c.Int64("rounds"), ContextDim: c.Int("context-dim"), Repeat: c.Int64("repeat"), Labels: world.DefaultLabels(k),
	}
	if st.Policy == "uniform" && st.Counter == "" {
		st.Counter = "exact" // it reads no rewards, so any will do
	}
	if st.Policy == "" || st.Counter == "" {
		return nil, usagef("simulate needs -p FILE, or --policy and --counter (uniform needs no counter)")
	}
	if (st.Counter == "exact") != (st.Epsilon == "") {
		return nil, usagef("--epsilon belongs to a counter with noise: give it with --counter hybrid, not with exact")
	}
	if st.Rounds < 1 {
		return nil, usagef("--rounds is %d, must be at least 1", st.Rounds)
	}
	if text := c.String("labels"); text != "" {
		st.Labels = strings.Split(text, ",")
		if len(st.Labels) != k {
			return nil, usagef("%d labels for %d means; give one label per mean", len(st.Labels), k)
		}
	}
	return st, nil
}

// masterSeed is that of --seed where given, else the protocol's, else of 0.
func masterSeed(s *settings, doc *schemas.Document) [32]byte {
	declared := doc.Protocol.Policy.Seed
	if !s.seedGiven && declared != nil && len(declared.Bytes) == 32 {
		return [32]byte(declared.Bytes)
	}
	return replay.Seed(s.seed)
}

func parseMeans(text string) ([]float64, error) {
	if text == "" {
		return nil, usagef("simulate needs --means, such as 0.4,0.6")
	}
	var means []float64
	for word := range strings.SplitSeq(text, ",") {
		m, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return nil, usagef("--means: %q is not a number", word)
		}
		means = append(means, m)
	}
	return means, nil
}

// writeSimulation writes what stands beside the log. The seed goes to the file
// that the protocol names, so that the protocol audits the log unedited.
func writeSimulation(dir *outputDir, source []byte, spec *world.Spec, truth *world.Truth) error {
	name := seedHexFile
	if seed := spec.Protocol.Policy.Seed; seed != nil && filepath.IsLocal(seed.File) {
		name = seed.File
	}
	truth.Tool = tool()
	encoded, err := schemas.Encode(truth)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{protocolFile, source},
		{name, []byte(hex.EncodeToString(spec.Master[:]) + "\n")},
		{truthFile, encoded},
	} {
		if err := dir.write(f.name, f.data); err != nil {
			return err
		}
	}
	return notWritten(os.Chmod(dir.path(name), 0o600))
}
