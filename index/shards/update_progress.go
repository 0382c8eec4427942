package shards

import "time"

// Progress is the progress of the update of a root.
type Progress struct {
	Root       string
	Files      int // seen, including unchanged ones
	TotalFiles int // 0 until the folder has been walked
	Bytes      int64
	TotalBytes int64         // of all files
	Symbols    int           // found by this update
	Left       time.Duration // estimated time left; 0: unknown
}

// estimateAfter is the time for which an update runs before it estimates how long it will take.
const estimateAfter = 2 * time.Second

// progressReporter counts and reports what an update has done.
type progressReporter struct {
	index    *Set
	report   func(Progress)
	progress Progress
	upToDate int64     // bytes that did not have to be read
	started  time.Time // when reading began
}

// newProgressReporter begins to report the update of a root.
func (x *Set) newProgressReporter(root string, report func(Progress)) *progressReporter {
	m := &progressReporter{index: x, report: report, progress: Progress{Root: root}}
	m.send()
	return m
}

// setPlan sets the totals.
func (m *progressReporter) setPlan(p *updatePlan) {
	m.started = time.Now()
	m.progress.TotalFiles, m.progress.TotalBytes = p.total, p.bytes
	m.progress.Files, m.progress.Bytes = p.total, p.bytes
	for _, c := range p.read {
		m.progress.Files--
		m.progress.Bytes -= c.size
	}
	m.upToDate = m.progress.Bytes
	m.send()
}

// filesDone counts files that were read.
func (m *progressReporter) filesDone(t fileCounts) {
	m.progress.Files += t.files
	m.progress.Bytes += t.bytes
	m.progress.Symbols += t.symbols
	m.progress.Left = m.timeLeft()
	m.send()
}

// timeLeft estimates the remaining time by the bytes of the files.
func (m *progressReporter) timeLeft() time.Duration {
	worked := time.Since(m.started)
	done, remaining := m.progress.Bytes-m.upToDate, m.progress.TotalBytes-m.progress.Bytes
	if worked < estimateAfter || done <= 0 {
		return 0
	}
	return time.Duration(float64(worked) * float64(remaining) / float64(done))
}

func (m *progressReporter) send() {
	at := m.progress
	m.index.mu.Lock()
	m.index.status.Progress = &at
	m.index.mu.Unlock()
	m.report(at)
}
