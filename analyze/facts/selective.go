package facts

// BinaryRows reports whether rewards are 0 and 1 and rows independent, so that
// exact tests are the default.
func (in *Log) BinaryRows() bool { return in.Binary() && !Repeated(in.Slice) }

// Selective reports whether in which rounds an arm is played can depend on more
// than past rewards: on contexts, or on which arms could be played.
func (f *Facts) Selective() bool { return ContextDim(f.Slice) > 0 || !f.Pub.Always() }

// PlayedWords say of which mean a bias is bounded.
func (f *Facts) PlayedWords() string {
	if !f.Selective() {
		return "; the mean over the rounds played is the arm's population mean only where its expected reward does not drift"
	}
	of := "contexts decide"
	if ContextDim(f.Slice) == 0 {
		of = "which arms could be played decides"
	}
	return "; of the expected rewards of the rounds in which the arm was played, which is not the arm's population mean: " + of + " in part which rounds those are"
}
