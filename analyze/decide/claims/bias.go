package claims

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// biasClaim is that adaptivity moves a mean by no more than a threshold.
func biasClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindBiasBound, Asks: "whether the bias of means is bounded as asked", Keys: []string{"comparator", "threshold", "arms"}, Many: true, Unseen: unseenBias()}, Decide: (*Findings).decideBias, Rests: biasRests}
}

// unseenBias is what would pass bias.bound.
func unseenBias() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"a bias by anything but the choice of arms by their rewards: rewards that were missing or changed, rounds that were left out, means that moved while an arm was played seldom",
		"all that would pass privacy.total, on whose accounting the bound rests",
	}}}
}

func (v *Findings) decideBias(f *schemas.Finding, c *schemas.Claim) {
	f.Statement = fmt.Sprintf("The bias of the mean over the rounds played of %s is at most %s.", armWords(c.Arms), c.Threshold)
	f.Comparator, f.Threshold = "<=", c.Threshold.String()
	f.ThresholdValue, f.Unit = schemas.Ext(c.Threshold.Float()), "reward"
	f.Procedure = "(hi−lo)·(1/N)·Σ tanh(c_t/4) over the rows of the arm"
	if publiclog.Repeated(v.Facts.Slice) {
		f.Procedure += ", c_t the cost of all rows of the row's unit"
	}
	f.Procedure += v.playedWords()
	f.Evidence = []string{pointer(v.Facts.Log, "/arms")}
	if app := v.Evidence.Bounds; !app.OK() {
		f.Verdict, f.Reason = schemas.NotEstablished, "no bound: "+app.Reason()
		if v.Protocol.Program != nil || v.Evidence.Noise.Verdict == schemas.Violated || v.Protocol.Log.MissingReward == schemas.MissingExclude || validity.OpenStop(v.Protocol).Stands() || v.Evidence.BeyondLedger() != "" || !publiclog.UnitsAtHand(v.Facts.Slice) {
			f.Verdict = schemas.NotApplicable
		}
		return
	}
	worst, label, missing := v.worstBias(c.Arms)
	if missing != "" {
		f.Verdict, f.Reason = schemas.NotEstablished, "arm "+schemas.Named(missing)+" has no mean"
		return
	}
	f.Observed = fmt.Sprintf("%.6g (arm %s)%s", worst, schemas.Named(label), v.Evidence.Qualify())
	f.ObservedValue = schemas.Ext(worst)
	f.Vacuous = worst >= publiclog.RangeWidth(v.Protocol)
	f.Verdict = schemas.NotEstablished
	if worst <= c.Threshold.Float() {
		f.Verdict = schemas.Verified
		return
	}
	f.Reason = "the bound is above the threshold, which does not show that the bias is"
}

func armWords(arms []string) string {
	if len(arms) == 0 || arms[0] == publiclog.AllArms {
		return "every arm"
	}
	named := make([]string, len(arms))
	for i, label := range arms {
		named[i] = schemas.Named(label)
	}
	return "arm " + strings.Join(named, ", ")
}

func (v *Findings) worstBias(labels []string) (worst float64, label, missing string) {
	for i := range v.Arms {
		arm := &v.Arms[i]
		if len(labels) > 0 && labels[0] != publiclog.AllArms && !slices.Contains(labels, arm.Label) {
			continue
		}
		if arm.BiasBound == nil {
			return 0, "", arm.Label
		}
		if label == "" || *arm.BiasBound > worst {
			worst, label = *arm.BiasBound, arm.Label
		}
	}
	return worst, label, ""
}

// playedWords say of which mean a bias is bounded.
func (v *Findings) playedWords() string {
	if !v.Facts.Selective() {
		return "; the mean over the rounds played is the arm's population mean only where its expected reward does not drift"
	}
	of := "contexts decide"
	if publiclog.ContextDim(v.Facts.Slice) == 0 {
		of = "which arms could be played decides"
	}
	return "; of the expected rewards of the rounds in which the arm was played, which is not the arm's population mean: " + of + " in part which rounds those are"
}
