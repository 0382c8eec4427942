package lease

import (
	"bytes"
	"os"
	"strconv"
)

// startOf returns when the process began, in clock ticks since the system started, and whether
// it lives. A process that has ended and that its parent has not waited for yet is dead.
func startOf(pid int) (started string, lives bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", !os.IsNotExist(err)
	}
	// The second field is the program's name in parentheses. It may hold spaces and parentheses.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const state, start = 3 - 3, 22 - 3 // the fields' numbers in proc(5), less those before
	if len(fields) <= start {
		return "", true
	}
	return string(fields[start]), !bytes.Contains([]byte("ZXx"), fields[state])
}
