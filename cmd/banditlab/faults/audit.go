package faults

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// log is a simulated log in a directory of its own.
type log struct {
	m      Mechanism
	master [32]byte
	dir    string
}

// play writes the log of a run with the master seed of its number. Two runs of
// one number are the same up to the end of the shorter one.
func play(m Mechanism, faults []string, run, rounds int64) (l *log, truth *world.Truth, err error) {
	l = &log{m: m, master: replay.Seed(run)}
	protocol, err := l.protocol(everything)
	if err != nil {
		return nil, nil, err
	}
	if l.dir, err = os.MkdirTemp("", "banditaudit-faults-"); err != nil {
		return nil, nil, err
	}
	spec := &world.Spec{Protocol: protocol, Master: l.master, Means: means(), Rounds: rounds, Faults: faults, CreatedBy: "faults"}
	truth, err = world.Simulate(context.Background(), spec, filepath.Join(l.dir, "log"))
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", m.Name, err), l.remove())
	}
	return l, truth, nil
}

func (l *log) remove() error { return os.RemoveAll(l.dir) }

func (l *log) protocol(e Evidence) (*schemas.Protocol, error) {
	// The seed's file is not there: its bytes are put in its place.
	doc, err := analyze.Standard().Format().ParseProtocol(l.m.Name, []byte(l.m.Protocol(e)))
	if err != nil {
		return nil, err
	}
	if s := doc.Protocol.Policy.Seed; s != nil {
		s.Bytes = l.master[:]
	}
	return &doc.Protocol, nil
}

// audit is what an audit finds in the log when it is told no more than the
// evidence.
func (l *log) audit(e Evidence) (out *aggregate.Outcome, err error) {
	p, err := l.protocol(e)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(l.dir, string(e))
	if err = os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx := context.Background()
	sources, err := files.Discover(ctx, []string{filepath.Join(l.dir, "log")})
	if err != nil {
		return nil, err
	}
	if _, err = ingest.Ingest(ctx, p, sources, dir, ingest.Options{Jobs: 1, Tool: schemas.Tool{Name: "faults"}}); err != nil {
		return nil, err
	}
	t, manifest, err := tableaudir.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	return analysed(ctx, p, t, manifest)
}

// analysed replays and analyses the one experiment of a tableau.
func analysed(ctx context.Context, p *schemas.Protocol, t *tableau.Tableau, manifest *schemas.Manifest) (*aggregate.Outcome, error) {
	declared, err := conformance.Declare(analyze.Standard(), p, manifest.Arms)
	if err != nil {
		return nil, err
	}
	replayed, err := declared.Run(ctx, t.Slice(0), &ledger.Disclosures{}, nil)
	if err != nil {
		return nil, err
	}
	in := &analyze.Input{Log: publiclog.New(declared, manifest, 0, t.Slice(0))}
	in.Replay = &replayed
	return analyze.Run(ctx, in)
}
