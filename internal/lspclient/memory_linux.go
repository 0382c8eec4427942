package lspclient

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"ploke-lsp/internal/disk"
)

// The fields of /proc/PID/stat behind the name of the program, which may hold any byte.
const (
	groupField  = 2
	memoryField = 21 // pages that are resident
)

// maxStatBytes is more than such a line has.
const maxStatBytes = 4 << 10

// memory returns the bytes that the processes of the server's group have in memory.
func (p *program) memory() (total int64) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		line, err := disk.ReadRegular(path, maxStatBytes)
		if err != nil {
			continue // it has ended
		}
		fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
		if len(fields) > memoryField && string(fields[groupField]) == fmt.Sprint(p.Pid()) {
			pages, _ := strconv.ParseInt(string(fields[memoryField]), 10, 64)
			total += pages * int64(os.Getpagesize())
		}
	}
	return total
}
