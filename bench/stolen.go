package main

import (
	"os"
	"strconv"
	"strings"
)

// processorTime is what the processors have spent since the system started, in ticks of its clock.
type processorTime struct {
	used   float64 // by programs and the system
	stolen float64 // that a virtual machine waited for because its host ran others
}

// systemTime returns the processor time until now, zero where the system does not tell it. The
// columns are those of proc_stat(5).
func systemTime() (t processorTime) {
	const idle, iowait, steal, columns = 3, 4, 7, 8
	text, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(strings.TrimPrefix(line, "cpu ")) {
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil || i >= columns {
			break
		}
		switch i {
		case idle, iowait:
		case steal:
			t.stolen = ticks
		default:
			t.used += ticks
		}
	}
	return t
}

// stolenSince returns the share of the processor time since start that the host took away, from 0 to 1.
func (t processorTime) stolenSince(start processorTime) float64 {
	used, stolen := t.used-start.used, t.stolen-start.stolen
	if used+stolen <= 0 {
		return 0
	}
	return stolen / (used + stolen)
}
