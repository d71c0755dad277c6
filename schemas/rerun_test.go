package schemas

import (
	"strings"
	"testing"
)

// rerunLog is a protocol whose context has the columns x and c, and whose rounds have
// units.
const rerunLog = "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r, unit: u, context: [x, {column: c, levels: [k, l]}]}\nreward: {range: [0, 1]}\n"

// Every form comes back from the effective protocol, with its defaults.
func TestRerunForms(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]string{
		"":                                 `{"lag":"equal","exceedances":20}`,
		"rerun: {permute: none}":           `{"permute":"none","lag":"equal","statistic":"spread-in-blocks","exceedances":20}`,
		"rerun: {permute: all, draws: 99}": `{"permute":"all","lag":"equal","statistic":"spread","draws":99,"exceedances":20}`,
		"rerun: {permute: units}":          `{"permute":"units","lag":"equal","statistic":"spread","exceedances":20}`,
		"rerun: {permute: {units: 10}, exceedances: 5}":               `{"permute":{"units":10},"lag":"equal","statistic":"spread","exceedances":5}`,
		"rerun: {permute: {blocks: 10}, statistic: spread-in-blocks}": `{"permute":{"blocks":10},"lag":"equal","statistic":"spread-in-blocks","exceedances":20}`,
		"rerun: {permute: {within: [c, x]}, lag: record, strata: c}":  `{"permute":{"within":["c","x"]},"lag":"record","statistic":"spread","strata":"c","exceedances":20}`,
	} {
		d, err := standard().ParseProtocol("p.yaml", []byte(rerunLog+"analysis: {"+declared+"}\n"))
		if err != nil {
			t.Errorf("%s: %v", declared, err)
			continue
		}
		b, err := d.Effective()
		if err != nil {
			t.Fatal(err)
		}
		if err = standard().ValidateProtocol(b); err != nil {
			t.Errorf("%s: %v", declared, err)
		}
		if !strings.Contains(string(b), `"rerun":`+want+`}`) {
			t.Errorf("%s: %s, want in it %s", declared, b, want)
		}
		if again, err := standard().ParseProtocol("p.json", b); err != nil || again.Protocol.Analysis.Rerun.Permute.String() != d.Protocol.Analysis.Rerun.Permute.String() {
			t.Errorf("%s: the effective protocol reads as %+v, %v", declared, again, err)
		}
	}
}

func TestRerunRules(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]string{
		"{permute: some}":                             `analysis.rerun.permute is "some" (it must be one of its forms); write {blocks: 10}, none, all, {within: [column, ...]}, {units: 10} or units`,
		"{permute: {blocks: 1}}":                      "analysis.rerun.permute.blocks is 1 (records change places within a block, and a block of one leaves them where they are)",
		"{permute: {units: 1}}":                       "analysis.rerun.permute.units is 1 (units change places within a run of units",
		"{permute: {within: []}}":                     "analysis.rerun.permute.within is empty",
		"{permute: {within: [y]}}":                    `analysis.rerun.permute.within[0] is "y" (no column of the context has that name (log.context))`,
		"{permute: {within: [x, x]}}":                 `analysis.rerun.permute.within[1] is "x" again`,
		"{strata: y}":                                 `analysis.rerun.strata is "y" (no column of the context has that name`,
		"{lag: late}":                                 `analysis.rerun.lag is "late" (it must be one of: equal, record, position)`,
		"{statistic: widest}":                         `analysis.rerun.statistic is "widest" (it must be one of: spread, spread-in-blocks)`,
		"{draws: 0}":                                  "analysis.rerun.draws is 0 (p is at least 1/(draws + 1), and no test is made with fewer than 99)",
		"{exceedances: 0}":                            "analysis.rerun.exceedances is 0 (runs end where so many reach the statistic)",
		"{permute: all, statistic: spread-in-blocks}": "analysis.rerun.statistic is \"spread-in-blocks\" (records change places across blocks (permute: all)",
		"{permute: {blocks: 5, units: 5}}":            "analysis.rerun.permute is a mapping (it must be one of its forms)",
	} {
		_, err := standard().ParseProtocol("p.yaml", []byte(rerunLog+"analysis: {rerun: "+declared+"}\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", declared, err, want)
		}
	}
	_, err := standard().ParseProtocol("p.yaml", []byte(strings.Replace(rerunLog, "unit: u, ", "", 1)+"analysis: {rerun: {permute: units}}\n"))
	if err == nil || !strings.Contains(err.Error(), `analysis.rerun.permute is "units" (no column says which rounds are a unit's (log.unit))`) {
		t.Errorf("without units: %v", err)
	}
}
