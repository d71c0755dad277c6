package truth

import (
	"fmt"
	"slices"

	"banditaudit/cmd/banditlab/mechanisms"
)

// World is a deployment of which the tool said, or could say, something false.
type World struct {
	Name   string // of the row: letters, digits and hyphens
	Item   int    // of "Never clear the false, never accuse the honest"; 16 and on are later worlds
	Text   string // one or two sentences: what was deployed, what was logged, what is declared
	Said   string // what is counted: "allocation is VIOLATED", "the corrected test rejects"
	Before string // how often it was counted before the item was built, and in how many logs
	Unseen string // what remains unseen, and why
	Logs   int    // how many are audited
	Right  bool   // counting it is right; else it is what must not happen
	Open   bool   // the item is not built yet, and the count is still what it was

	Protocol string
	Deploy   func(run int64) *Log
	Count    func(f *Found) bool
	Also     []Also // what is counted beside, where the words above would need a figure
}

// Also is a second thing that is counted of the logs of a world.
type Also struct {
	Said     string
	Protocol string // "" for that of the world
	Count    func(f *Found) bool
}

// Worlds are the rows of the first table, by item.
func Worlds() []World {
	return slices.Concat([]World{
		followsContext(),     // 1
		comparesByContext(),  // 1
		followsUnlogged(),    // 1
		comparesUnlogged(),   // 1
		followsAction(),      // 1
		followsReward(),      // 1
		followsTails(),       // 1
		comparesByTails(),    // 1
		followsStripes(),     // 1
		followsTwo(),         // 1
		slowTides(),          // 1
		fastTides(),          // 1
		comparesByTides(),    // 1
		pausedByRewards(),    // 2
		driftsTogether(),     // 3
		driftsALittle(),      // 3
		slowSuccesses(),      // 3
		zerosMadeOnes(),      // 4
		skewedByDefault(),    // 5
		revenueByDefault(),   // 5
		skewedByT(),          // 5
		skewedAccepted(),     // 5
		totalBesideAnother(), // 6
		sharedNoise(),        // 7
		looksStopped(),       // 8
		evenedLabels(),       // 9
		swappedLabels(),      // 9
		oddRound(),           // 12
		significantOfAnother(), mixedOfAnother(),
	}, sharesOfAnother(), numbersOfAnother(), constantShares(), periods(), movedUnits(), beneathFloors(), likelier(), footings(), crossings(), eligibleSets(), unlisted(), earlierThings(), accused(), instants(), // 13, 13, 13, 14, 15, 9, 1, 1 and 15, 1, 1, 1, 1, 12, 12 and 15
		steeredMeans(), recomputedByContext(), recomputedByUnit(), carriedOver(), []World{repeatedRewards()}) // 16, 17, 18 and 19
}

// Rate counts over runs 1 … n, 0 for as many as the row has. An audit that ends
// with an error ends the counting.
func (w *World) Rate(n int) (counted, logs int, err error) {
	if n == 0 {
		n = w.Logs
	}
	all, err := w.Counts(n)
	if err != nil {
		return 0, n, err
	}
	return all[0].Of, n, nil
}

// Counts counts over runs 1 … n what the row asks, and then what is counted beside.
func (w *World) Counts(n int) ([]Counted, error) {
	asked := append([]Also{{w.Said, "", w.Count}}, w.Also...)
	runs, err := mechanisms.Each(n, func(i int) ([]bool, error) { return w.audit(int64(i+1), asked) })
	if err != nil {
		return nil, err
	}
	out := make([]Counted, len(asked))
	for i := range asked {
		out[i] = Counted{Said: asked[i].Said, Logs: n}
		for _, run := range runs {
			if run[i] {
				out[i].Of++
			}
		}
	}
	return out, nil
}

// audit asks of one log, which is audited once under each protocol.
func (w *World) audit(run int64, asked []Also) ([]bool, error) {
	out, under := make([]bool, len(asked)), map[string]*Found{}
	for i, ask := range asked {
		found, ok := under[ask.Protocol]
		if !ok {
			protocol := ask.Protocol
			if protocol == "" {
				protocol = w.Protocol
			}
			var err error
			if found, err = Audit(w.Deploy(run), protocol); err != nil {
				return nil, fmt.Errorf("log %d: %w", run, err)
			}
			under[ask.Protocol] = found
		}
		out[i] = ask.Count(found)
	}
	return out, nil
}
