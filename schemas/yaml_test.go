package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestAnyLabelsReadBack writes protocols whose labels are arbitrary text.
func TestAnyLabelsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfNDistinct(rapid.StringN(1, 40, -1), 1, 6, rapid.ID[string]).Draw(t, "labels")
		p := Protocol{
			Version: 1, Experiment: ExperimentSpec{ID: labels[0]}, Log: Log{Order: labels, Action: "a", Reward: "r"},
			Reward: RewardSpec{Range: []float64{0, rapid.Float64Range(1e-9, 1e9).Draw(t, "hi")}}, Arms: labels,
		}
		text, err := EncodeProtocol(&p)
		if err != nil {
			t.Fatal(err)
		}
		got, r := standard().read("p.yaml", text)
		if strings.ContainsRune(strings.Join(labels, ""), 0) {
			return // refused as no text; see TestTextThatIsNoProtocol
		}
		if len(r.problems) > 0 {
			t.Fatalf("%s\n%v", text, r.problems)
		}
		if d := cmp.Diff(p, got.Protocol); d != "" {
			t.Fatalf("%s\n(-before +after):\n%s", text, d)
		}
	})
}
