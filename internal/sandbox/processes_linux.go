package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// parents returns the parent of each process that this one sees, by their ids.
func parents() map[int]int {
	of := map[int]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		var state string
		var parent int
		_, rest, _ := strings.Cut(string(text), ") ") // behind the name, which may have spaces
		if _, err := fmt.Sscan(rest, &state, &parent); err == nil {
			of[pid] = parent
		}
	}
	return of
}

// descendants returns a process's children, and theirs.
func descendants(pid int) (found []int) {
	children := map[int][]int{}
	for child, parent := range parents() {
		children[parent] = append(children[parent], child)
	}
	found = slices.Clone(children[pid])
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}

// memoryOf returns how many bytes a process has of its own, in memory or swapped out.
func memoryOf(pid int) (bytes int64) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if name != "RssAnon" && name != "RssShmem" && name != "VmSwap" {
			continue
		}
		kilobytes, _, _ := strings.Cut(strings.TrimSpace(value), " ")
		n, _ := strconv.ParseInt(kilobytes, 10, 64)
		bytes += n << 10
	}
	return bytes
}
