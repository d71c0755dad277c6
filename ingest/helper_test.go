package ingest

import (
	"os"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// fixtures are Parquet files by other programs.
const fixtures = "../testdata/parquet"

// protocol is a protocol for events.
func protocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log: schemas.Log{
			Order: []string{"round"}, Action: "arm", Reward: "reward", Propensity: "p",
			Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "age"}, {Column: "land", Levels: []string{"DE", "FR", "IT"}}}},
		},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

// contents are the columns of one experiment.
type contents struct {
	ID         string
	Round      []int64
	Arm        []int32
	Reward     []float64
	Propensity []float64
	X          [][]float64

	ContextByArm, PropensityByArm, ReleasedByArm, RewardByArm []float64
	Eligible                                                  []bool
	Batch                                                     []int32
	Unit, RewardRound, Time, Draws, Position, Stratum         []int64
	KeepProb                                                  []float64
}

// readTableau reads all experiments of a tableau.
func readTableau(tb testing.TB, tab *tableau.Tableau) []contents {
	tb.Helper()
	var all []contents
	for i := range tab.Experiments() {
		s := tab.Slice(i)
		var columns []string
		if s.Schema().RewardByArm {
			columns = append(columns, tableau.RewardByArm)
		}
		rewards, err := s.Disclose(&ledger.Disclosures{}, "test", columns...)
		if err != nil {
			tb.Fatal(err)
		}
		c := contents{ID: s.ID(), X: make([][]float64, s.ContextDim())}
		for k := range s.Chunks() {
			chunk := s.Chunk(k)
			c.Round, c.Arm = append(c.Round, chunk.Round...), append(c.Arm, chunk.Arm...)
			c.Reward, c.Propensity = append(c.Reward, rewards.Chunk(k)...), append(c.Propensity, chunk.Propensity...)
			for j := range c.X {
				c.X[j] = append(c.X[j], chunk.X[j]...)
			}
			c.ContextByArm, c.PropensityByArm = append(c.ContextByArm, chunk.ContextByArm...), append(c.PropensityByArm, chunk.PropensityByArm...)
			c.ReleasedByArm, c.RewardByArm = append(c.ReleasedByArm, chunk.ReleasedByArm...), append(c.RewardByArm, rewards.AllArms(k)...)
			c.Batch, c.Unit, c.RewardRound = append(c.Batch, chunk.Batch...), append(c.Unit, chunk.Unit...), append(c.RewardRound, chunk.RewardRound...)
			c.Time, c.Draws, c.Position = append(c.Time, chunk.Time...), append(c.Draws, chunk.Draws...), append(c.Position, chunk.Position...)
			c.Stratum = append(c.Stratum, chunk.Stratum...)
			c.KeepProb = append(c.KeepProb, chunk.KeepProb...)
			if !s.Schema().Eligible {
				continue
			}
			for row := range chunk.Round {
				for arm := range s.Arms() {
					c.Eligible = append(c.Eligible, chunk.Eligible(row, arm))
				}
			}
		}
		all = append(all, c)
	}
	return all
}

// ingestAll ingests arguments and reads the result back.
func ingestAll(tb testing.TB, p *schemas.Protocol, o Options, args ...string) ([]contents, *schemas.Manifest, error) {
	tb.Helper()
	src, err := files.Discover(tb.Context(), args)
	if err != nil {
		return nil, nil, err
	}
	dir := tb.TempDir()
	written, err := Ingest(tb.Context(), p, src, dir, o)
	if err != nil {
		entries, rerr := os.ReadDir(dir)
		if rerr != nil || len(entries) > 0 {
			tb.Errorf("after an error %v is left, %v", entries, rerr)
		}
		return nil, nil, err
	}
	tab, m, err := tableaudir.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	defer closeTableau(tb, tab)
	if written.SHA256 != m.SHA256 {
		tb.Error("Open reads another manifest than Ingest returned")
	}
	return readTableau(tb, tab), m, nil
}

// taken is what ingestAll reads back, of arguments that are taken.
func taken(tb testing.TB, p *schemas.Protocol, args ...string) ([]contents, *schemas.Manifest) {
	tb.Helper()
	c, m, err := ingestAll(tb, p, Options{}, args...)
	if err != nil {
		tb.Fatal(err)
	}
	return c, m
}

// refused is the fault of a rule for which arguments are refused.
func refused(tb testing.TB, p *schemas.Protocol, rule string, args ...string) *fault.InputError {
	tb.Helper()
	_, _, err := ingestAll(tb, p, Options{}, args...)
	return ingesttest.WantFault(tb, err, rule)
}

func closeTableau(tb testing.TB, tab *tableau.Tableau) {
	tb.Helper()
	if err := tab.Close(); err != nil {
		tb.Error(err)
	}
}

// contentOf is what a file holds.
func contentOf(tb testing.TB, path string) []byte {
	tb.Helper()
	out, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// sourcesOf are the files that arguments name.
func sourcesOf(tb testing.TB, args []string) []files.Source {
	tb.Helper()
	out, err := files.Discover(tb.Context(), args)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// wantOf is the want of a column with a role.
func wantOf(r role.Role, name string) role.Want {
	return role.Want{Column: role.All().Of(r), Name: name}
}

// opened is the log of p, whose footers were looked at.
func opened(t *testing.T, p *schemas.Protocol, src []files.Source, limit int64) *logFiles {
	t.Helper()
	l, err := newLogFiles(p, role.All(), limit, &fault.List{})
	if err == nil {
		err = l.openLog(t.Context(), src)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}
