package program

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// kin are a program and all that it started: its process group and session, whoever has
// one of them as parent, and whoever has the program's mark in the environment. What
// leaves group and session, and its parent with them, keeps the mark, and becomes a child
// of this process. A process that was once seen as no kin is not looked at again.
type kin struct {
	leader int
	mark   []byte

	mu     sync.Mutex
	known  map[int]uint64  // by process: when it started
	others map[string]bool // by process
}

// newKin returns the kin of a program that has just been started as process leader.
func newKin(leader int, mark string) *kin {
	return &kin{leader: leader, mark: []byte(mark), known: map[int]uint64{}, others: map[string]bool{}}
}

// adopt makes orphans of whatever this process starts its children.
func adopt() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER of prctl(2)
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, setChildSubreaper, 1, 0, 0, 0, 0)
}

// bytes is the memory that is resident now; what has ended holds none.
func (k *kin) bytes() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	pages := int64(0)
	for _, s := range k.look() {
		pages += s.pages
	}
	return pages * int64(os.Getpagesize())
}

// end kills all kin, and all that they start meanwhile. It reports whether none is left.
func (k *kin) end() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for range goodbye / time.Millisecond {
		left := 0
		for _, s := range k.look() {
			if s.state == 'Z' {
				continue
			}
			left++
			if now, ok := statOf(strconv.Itoa(s.pid)); ok && now.start == s.start {
				_ = syscall.Kill(s.pid, syscall.SIGKILL) // that it is gone is well
			}
		}
		if left == 0 {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// look finds the kin that there are now. Orphans that have ended are buried.
func (k *kin) look() []status {
	all, seen := k.strangers()
	known, out := map[int]uint64{}, []status(nil)
	for found := true; found; {
		found = false
		for i, s := range all {
			if s.pid != 0 && k.has(&s, known) {
				known[s.pid], found = s.start, true
				out, all[i].pid = append(out, s), 0
			}
		}
	}
	for _, s := range all {
		if s.pid != 0 {
			seen[strconv.Itoa(s.pid)] = true
			bury(&s, k.leader)
		}
	}
	for i := range out {
		bury(&out[i], k.leader)
	}
	k.known, k.others = known, seen
	return out
}

// strangers are the processes of which it is not known that they are no kin; seen are the
// others that are still there.
func (k *kin) strangers() (all []status, seen map[string]bool) {
	seen = map[string]bool{}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, seen
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // those that there are
	for _, name := range names {
		switch {
		case name[0] < '0' || name[0] > '9':
		case k.others[name]:
			seen[name] = true
		default:
			if s, ok := statOf(name); ok {
				all = append(all, s)
			}
		}
	}
	return all, seen
}

// has reports whether a process is kin, where known are those that were found before it.
func (k *kin) has(s *status, known map[int]uint64) bool {
	if was, ok := k.known[s.pid]; ok && was == s.start || s.pid == k.leader || s.group == k.leader || s.session == k.leader {
		return true
	}
	_, child := known[s.parent]
	return child || marked(s.pid, k.mark)
}

// marked reports whether a process has the mark in its environment.
func marked(pid int, mark []byte) bool {
	if len(mark) == 0 {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && (bytes.HasPrefix(b, append(bytes.Clone(mark), 0)) || bytes.Contains(b, append(append([]byte{0}, mark...), 0)))
}

// bury takes leave of an orphan that has ended. Whoever leads a session may be a program,
// which has somebody who waits for it.
func bury(s *status, leader int) {
	if s.state != 'Z' || s.parent != os.Getpid() || s.pid == leader || s.pid == s.session {
		return
	}
	if own, ok := statOf(strconv.Itoa(os.Getpid())); ok && own.session != s.session {
		_, _ = syscall.Wait4(s.pid, nil, syscall.WNOHANG, nil) // another one may have been faster
	}
}

// status is what /proc/PID/stat says of a process.
type status struct {
	pid, parent, group, session int
	state                       byte
	start                       uint64
	pages                       int64
}

// Fields of /proc/PID/stat behind the name, from 0.
const (
	statParent  = 1
	statGroup   = 2
	statSession = 3
	statStart   = 19
	statPages   = 21
)

// statOf reads the status of a process; false where there is none.
func statOf(process string) (status, bool) {
	b, err := os.ReadFile("/proc/" + process + "/stat")
	if err != nil {
		return status{}, false
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) <= statPages {
		return status{}, false
	}
	number := func(text []byte) int {
		n, _ := strconv.Atoi(string(text)) // the kernel writes numbers
		return n
	}
	s := status{
		pid: number([]byte(process)), parent: number(fields[statParent]), group: number(fields[statGroup]), session: number(fields[statSession]),
		state: fields[0][0], pages: int64(number(fields[statPages])),
	}
	s.start, _ = strconv.ParseUint(string(fields[statStart]), 10, 64) // likewise
	return s, true
}
