package schemas

import "fmt"

// MaxLabelBytes bounds a label, whether a log has it or a protocol declares it: a longer
// text is no name.
const MaxLabelBytes = 4096

// short reports labels that are longer than any label of a log is.
func (c *checker) short(path string, labels []string) {
	for i, label := range labels {
		c.shortLabel(index(path, i), label)
	}
}

func (c *checker) shortLabel(path, label string) {
	if n := len(label); n > MaxLabelBytes {
		why := fmt.Sprintf("a label has at most %s, and no log with a longer one is read", Grouped(MaxLabelBytes))
		c.fail(path, fmt.Sprintf("has %s bytes", Grouped(int64(n))), why, "write short labels, in the log too")
	}
}
