package analyze

// binaryRows reports whether rewards are 0 and 1 and rows independent, so that
// exact tests are the default.
func (in *Input) binaryRows() bool { return in.binary() && !repeated(in.Slice) }

// oneMean reports whether a declared test holds only where all rows of an arm
// have one mean, and what the log holds can make their means differ.
func (f *facts) oneMean(d *declaredTest) bool {
	t := f.base(d.spec.Test, d.kind)
	return t != nil && t.OneMean && f.selective()
}

// selective reports whether in which rounds an arm is played can depend on more
// than past rewards: on contexts, or on which arms could be played.
func (f *facts) selective() bool { return contextDim(f.Slice) > 0 || !f.pub.always() }

// playedWords say of which mean a bias is bounded.
func (f *facts) playedWords() string {
	if !f.selective() {
		return "; the mean over the rounds played is the arm's population mean only where its expected reward does not drift"
	}
	of := "contexts decide"
	if contextDim(f.Slice) == 0 {
		of = "which arms could be played decides"
	}
	return "; of the expected rewards of the rounds in which the arm was played, which is not the arm's population mean: " + of + " in part which rounds those are"
}
