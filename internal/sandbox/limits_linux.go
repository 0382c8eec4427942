package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// watchEvery is how often what a command takes is measured.
const watchEvery = 250 * time.Millisecond

// set bounds a process and those that it will start. (This process could not bound itself first: the limits are for
// good.) When memory is short, the kernel ends them before any other.
func (l Limits) set(pid int) error {
	for resource, most := range map[int]int64{
		unix.RLIMIT_NPROC: int64(l.Processes), unix.RLIMIT_FSIZE: l.FileBytes, unix.RLIMIT_CORE: 0,
	} {
		if most == 0 && resource != unix.RLIMIT_CORE {
			continue
		}
		if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: uint64(most), Max: uint64(most)}, nil); err != nil {
			return err
		}
	}
	return os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
}

// watch measures what this process's descendants take, until done is closed. It calls stop with a sentence once that
// is more than they may.
func (l Limits) watch(done <-chan struct{}, stop func(reason string)) {
	for pause := watchEvery; ; {
		select {
		case <-done:
			return
		case <-time.After(pause):
		}
		began := time.Now()
		if reason := l.exceeded(); reason != "" {
			stop(reason)
			return
		}
		pause = max(watchEvery, 10*time.Since(began)) // so that it costs little in a tree of many files
	}
}

// exceeded says which limit is exceeded; "" if none is.
func (l Limits) exceeded() string {
	pids := descendants(os.Getpid())
	if l.Processes > 0 && len(pids) > l.Processes {
		return fmt.Sprintf("it started more than %d processes", l.Processes)
	}
	if l.Memory > 0 {
		var memory int64
		for _, pid := range pids {
			memory += memoryOf(pid)
		}
		if memory > l.Memory {
			return fmt.Sprintf("its processes took more than %d MB of memory", l.Memory>>20)
		}
	}
	if l.DiskBytes == 0 {
		return ""
	}
	onDisk := removedBytes(pids)
	for _, dir := range l.Disk {
		bytes, err := diskBytes(dir)
		if err != nil {
			return "what it has on disk can't be measured: " + err.Error()
		}
		onDisk += bytes
	}
	if onDisk > l.DiskBytes {
		return fmt.Sprintf("it took more than %d MB on disk", l.DiskBytes>>20)
	}
	return ""
}

// fileBytes is what a file counts at least, since a disk also runs out of files.
const fileBytes = 512

// diskBytes returns what a folder takes on disk.
func diskBytes(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil {
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				bytes += max(info.Sys().(*syscall.Stat_t).Blocks*512, fileBytes)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the command goes on meanwhile
		}
		return err
	})
	return bytes, err
}

// removedBytes returns what files take that have no name any more and that processes have open. (One that they have
// only mapped is not seen.)
func removedBytes(pids []int) (bytes int64) {
	seen := map[uint64]bool{}
	for _, pid := range pids {
		dir := fmt.Sprintf("/proc/%d/fd", pid)
		entries, _ := os.ReadDir(dir) // it may have ended
		for _, e := range entries {
			info, err := os.Stat(filepath.Join(dir, e.Name()))
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			if file := info.Sys().(*syscall.Stat_t); file.Nlink == 0 && !seen[file.Ino] {
				seen[file.Ino] = true
				bytes += file.Blocks * 512
			}
		}
	}
	return bytes
}
