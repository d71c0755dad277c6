package ingest

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/replay/montecarlo"
	"banditaudit/schemas"
)

// openBandit is where a sample of the Open Bandit Dataset (ZOZO, CC BY 4.0) may
// lie beside the module. It is not part of the project.
const openBandit = "../../shared/data/open-bandit"

func openBanditProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "men"},
		Log:    schemas.Log{Order: []string{"ts", "position"}, Action: "item_id", Reward: "click", Propensity: "propensity_score"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

func openBanditFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(filepath.FromSlash(openBandit), name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s, a real log that is not part of the project, is not there", path)
	}
	return path
}

// The sums are those of DuckDB 2.0.0:
//
//	SELECT count(*), count(DISTINCT item_id), sum(click), sum(1/propensity_score), sum(item_id) FROM '…/bts-men.parquet'
func TestOpenBandit(t *testing.T) {
	for name, want := range map[string]struct {
		clicks, items int64
		weights       float64
	}{
		"bts-men.parquet":    {69, 151350, 320726.6327547405},
		"random-men.parquet": {46, 164803, 340000.0},
	} {
		path := openBanditFile(t, name)
		got, m, err := ingestAll(t, openBanditProtocol(), Options{Jobs: 2}, path)
		if err != nil {
			t.Fatal(err)
		}
		var clicks, items int64
		weights := 0.0
		for i, y := range got[0].Reward {
			clicks += int64(y)
			arm, err := strconv.ParseInt(m.Arms[got[0].Arm[i]], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			items += arm
			weights += 1 / got[0].Propensity[i]
		}
		if m.Rows != 10_000 || len(m.Arms) != 34 || m.Declared || m.Reward.Type != "int" {
			t.Errorf("%s: %d rows, %d arms, rewards of type %s", name, m.Rows, len(m.Arms), m.Reward.Type)
		}
		if clicks != want.clicks || items != want.items || weights < want.weights*(1-1e-12) || weights > want.weights*(1+1e-12) {
			t.Errorf("%s: %d clicks, %d items, weights %.15g", name, clicks, items, weights)
		}
	}
}

// By `ts` alone two rows of bts-men tie, and position tells them apart.
func TestOpenBanditTies(t *testing.T) {
	path := openBanditFile(t, "bts-men.parquet")
	p := openBanditProtocol()
	p.Log.Order = []string{"ts"}
	_, _, err := ingestAll(t, p, Options{}, path)
	if e := ingesttest.WantFault(t, err, fault.RuleTie); e.Count != 2 || !strings.Contains(e.Mend, `"position"`) {
		t.Errorf("got %v", err)
	}
}

// The hashed features are categorical: a level that is not declared is named.
func TestOpenBanditFeatures(t *testing.T) {
	path := openBanditFile(t, "bts-men.parquet")
	p := openBanditProtocol()
	levels := []string{"4ae385d792f81dde128124a925a830de", "81ce123cbb5bd8ce818f60fb3586bba5", "cef3390ed299c09874189c387777674a"}
	p.Log.Context.Columns = []schemas.ContextColumn{{Column: "user_feature_0", Levels: levels}}
	got, m, err := ingestAll(t, p, Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range levels[1:] {
		names = append(names, "user_feature_0="+l)
	}
	if diff := cmp.Diff(names, m.Context); diff != "" || len(got[0].X) != len(names) {
		t.Error(diff)
	}
	p.Log.Context.Columns[0].Levels = levels[1:]
	_, _, err = ingestAll(t, p, Options{}, path)
	if e := ingesttest.WantFault(t, err, fault.RuleLevel); !strings.Contains(e.Error(), levels[0]) {
		t.Errorf("got %v", err)
	}
}

// Every propensity of bts-men but one, 1/34 of a fallback, is a share of 200,000
// draws; of 100,000 and of 500,000 draws half of them would be.
func TestOpenBanditLattice(t *testing.T) {
	path := openBanditFile(t, "bts-men.parquet")
	got, _, err := ingestAll(t, openBanditProtocol(), Options{Jobs: 2}, path)
	if err != nil {
		t.Fatal(err)
	}
	const tau = 0x1p-50
	rows := make([][]float64, 0, 10_000)
	on := map[float64]int{}
	for _, q := range got[0].Propensity {
		rows = append(rows, []float64{q})
		for _, n := range []float64{100_000, 200_000, 500_000} {
			if montecarlo.On(q, n, tau) {
				on[n]++
			}
		}
	}
	if n := montecarlo.Lattice(rows, tau, 1, math.Inf(1)); n != 200_000 {
		t.Errorf("the lattice is that of 1/%g", n)
	}
	if want := map[float64]int{100_000: 4925, 200_000: 9999, 500_000: 4925}; !maps.Equal(on, want) {
		t.Errorf("on lattices: %v, want %v", on, want)
	}
}
