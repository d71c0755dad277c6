//go:build unix && !linux

package program

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
)

// resident looks at the resident memory of a process group by ps.
type resident struct{ group int }

func newResident(group int) *resident { return &resident{group} }

// bytes is the memory that is resident now.
func (r *resident) bytes() int64 {
	out, err := exec.Command("ps", "-axo", "pgid=,rss=").Output() //nolint:noctx // it ends at once
	if err != nil {
		return 0
	}
	total := int64(0)
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		group, kib := 0, int64(0)
		if n, err := fmt.Sscan(lines.Text(), &group, &kib); n == 2 && err == nil && group == r.group {
			total += kib << 10
		}
	}
	return total
}
