package truth

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
)

// Found is what an audit says of a log.
type Found struct {
	Head     *schemas.Results // claims, assumptions, tests of the family, the overall line; without experiments
	Outcomes []*aggregate.Outcome
}

// First is the first experiment.
func (f *Found) First() *schemas.Experiment { return &f.Outcomes[0].Experiment }

// Verdict is the verdict on the first claim of a kind, "" where there is none.
func (f *Found) Verdict(kind string) schemas.Verdict {
	for i := range f.Head.Claims {
		if f.Head.Claims[i].Kind == kind {
			return f.Head.Claims[i].Verdict
		}
	}
	return ""
}

// Audit ingests, replays and analyses a log under a protocol, as the command
// audit does, in a temporary directory that is removed.
func Audit(l *Log, protocol string) (found *Found, err error) {
	doc, err := analyze.Standard().Format().ParseProtocol("truth", []byte(protocol))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "banditaudit-truth-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file, in := filepath.Join(dir, "log.parquet"), filepath.Join(dir, "tableau")
	if err = errors.Join(l.write(file), os.Mkdir(in, 0o700)); err != nil {
		return nil, err
	}
	ctx, p := context.Background(), &doc.Protocol
	sources, err := files.Discover(ctx, []string{file})
	if err != nil {
		return nil, err
	}
	if _, err = ingest.Ingest(ctx, p, sources, in, ingest.Options{Jobs: 1, Tool: tool()}); err != nil {
		return nil, err
	}
	t, manifest, err := tableaudir.Open(in)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	return analysed(ctx, doc, t, manifest)
}

func tool() schemas.Tool { return schemas.Tool{Name: "truth"} }

// analysed replays and analyses every experiment of a tableau, in its order.
func analysed(ctx context.Context, doc *schemas.Document, t *tableau.Tableau, manifest *schemas.Manifest) (*Found, error) {
	declared, err := conformance.Declare(analyze.Standard(), &doc.Protocol, manifest.Arms)
	if err != nil {
		return nil, err
	}
	effective, err := schemas.Encode(&doc.Protocol)
	if err != nil {
		return nil, err
	}
	shared, err := noiseAcross(ctx, declared, t, manifest)
	if err != nil {
		return nil, err
	}
	found := &Found{}
	together := aggregate.New(tool(), effective, manifest.Inputs)
	for i := range manifest.Experiments {
		replayed, err := declared.Run(ctx, t.Slice(i), &ledger.Disclosures{}, nil)
		if err != nil {
			return nil, err
		}
		in := &analyze.Input{Log: publiclog.New(declared, manifest, i, t.Slice(i))}
		in.Replay, in.Shared = &replayed, shared[i]
		out, err := analyze.Run(ctx, in)
		if err != nil {
			return nil, err
		}
		together.Add(out)
		found.Outcomes = append(found.Outcomes, out)
	}
	found.Head = together.Head()
	return found, nil
}

// noiseAcross holds the noise of the experiments of a log against each other.
func noiseAcross(ctx context.Context, declared *conformance.Declared, t *tableau.Tableau, manifest *schemas.Manifest) (map[int]*schemas.SharedNoise, error) {
	n := len(manifest.Experiments)
	if n < 2 {
		return map[int]*schemas.SharedNoise{}, nil
	}
	prints, ids := make([][]noise.Print, n), make([]string, n)
	for i := range prints {
		var err error
		ids[i] = manifest.Experiments[i].ID
		if prints[i], err = declared.Prints(ctx, t.Slice(i), &ledger.Disclosures{}, n); err != nil {
			return nil, err
		}
	}
	return declared.Shared(ids, prints), nil
}
