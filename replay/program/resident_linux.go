package program

import (
	"bytes"
	"os"
	"strconv"
)

// resident looks at the resident memory of a process group. A process that was seen once
// in another group is not looked at again.
type resident struct {
	group  int
	others map[string]bool // by process
}

func newResident(group int) *resident { return &resident{group, map[string]bool{}} }

// Fields of /proc/PID/stat behind the name, from 0.
const (
	statGroup = 2
	statPages = 21
)

// bytes is the memory that is resident now; what has ended holds none.
func (r *resident) bytes() int64 {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // those that there are
	seen, pages := map[string]bool{}, int64(0)
	for _, name := range names {
		switch {
		case name[0] < '0' || name[0] > '9':
		case r.others[name]:
			seen[name] = true
		default:
			group, n := stat(name)
			if group == r.group {
				pages += n
			} else {
				seen[name] = true
			}
		}
	}
	r.others = seen
	return pages * int64(os.Getpagesize())
}

// stat returns the group of a process and its resident pages.
func stat(process string) (group int, pages int64) {
	b, err := os.ReadFile("/proc/" + process + "/stat")
	if err != nil {
		return 0, 0
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) <= statPages {
		return 0, 0
	}
	group, _ = strconv.Atoi(string(fields[statGroup]))             // the kernel writes numbers
	pages, _ = strconv.ParseInt(string(fields[statPages]), 10, 64) // likewise
	return group, pages
}
