package randomization

// Lengths of [Neighbours]: rounds of a block, and of the window by which an arm's mean is
// taken.
const (
	neighbourBlock  = 10
	neighbourWindow = 50 * neighbourBlock
)

// Neighbours is [Dependence] of the rewards of a log, round after round: entries are rewards
// less the mean of their arm in a window of 500 rounds, in blocks of 10 rounds. A short last
// window, or block, joins its neighbour. So arms whose means drift apart are no dependence.
// Memory is two windows and some words for each arm (formula sheet of answers, 6 (b)).
type Neighbours struct {
	arm    []int32
	reward []float64
	means  []neighbourMean
	sums   dependence
}

// neighbourMean is of an arm in a window.
type neighbourMean struct{ n, total float64 }

// NewNeighbours begins before the first round of a log with the given number of arms.
func NewNeighbours(arms int) *Neighbours { return &Neighbours{means: make([]neighbourMean, arms)} }

// Add joins the next round; a reward that is NaN is passed over.
func (n *Neighbours) Add(arm int32, reward float64) {
	if n.arm, n.reward = append(n.arm, arm), append(n.reward, reward); len(n.arm) == 2*neighbourWindow {
		n.window(neighbourWindow)
	}
}

// End joins what is left, and returns the statistic. Nothing may be added behind it.
func (n *Neighbours) End() float64 {
	n.window(len(n.arm))
	return n.sums.z()
}

// window joins the first rounds that wait.
func (n *Neighbours) window(rounds int) {
	arm, reward := n.arm[:rounds], n.reward[:rounds]
	for t, y := range reward {
		if y == y {
			n.means[arm[t]].n++
			n.means[arm[t]].total += y
		}
	}
	blocks := Blocks(rounds, neighbourBlock)
	for t, y := range reward {
		if t > 0 && blocks[t] != blocks[t-1] {
			n.sums.end()
		}
		if m := &n.means[arm[t]]; y == y {
			n.sums.add(y - m.total/m.n)
		}
	}
	n.sums.end()
	for _, a := range arm {
		n.means[a] = neighbourMean{}
	}
	n.arm = append(n.arm[:0], n.arm[rounds:]...)
	n.reward = append(n.reward[:0], n.reward[rounds:]...)
}
