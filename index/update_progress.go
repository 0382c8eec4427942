package index

import "time"

// Progress is how far an update of a root has come.
type Progress struct {
	Root       string
	Files      int // looked at, unchanged ones included
	TotalFiles int // 0 until the folder has been walked
	Bytes      int64
	TotalBytes int64         // of all files
	Symbols    int           // found by this update
	Left       time.Duration // estimated; 0 while unknown
}

const (
	progressEvery = 32              // files between two reports
	estimateAfter = 2 * time.Second // less than that tells nothing about the rest
)

// meter counts what an update has done, and tells it.
type progressReporter struct {
	index    *Index
	report   func(Progress)
	progress Progress
	upToDate int64     // bytes that were up to date from the start
	started  time.Time // of the reading
}

// newMeter begins to tell about the update of a root.
func (x *Index) newProgressReporter(root string, report func(Progress)) *progressReporter {
	m := &progressReporter{index: x, report: report, progress: Progress{Root: root}}
	m.send()
	return m
}

// planned says what there is to do.
func (m *progressReporter) planned(p *updatePlan) {
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

// passed counts a file that was looked at.
func (m *progressReporter) fileDone(f readResult) {
	m.progress.Files++
	m.progress.Bytes += f.size
	m.progress.Symbols += f.symbolCount
	if m.progress.Files%progressEvery == 0 || m.progress.Files == m.progress.TotalFiles {
		m.progress.Left = m.timeLeft()
		m.send()
	}
}

// left estimates by the bytes of the files how long the rest takes.
func (m *progressReporter) timeLeft() time.Duration {
	worked := time.Since(m.started)
	done, remaining := m.progress.Bytes-m.upToDate, m.progress.TotalBytes-m.progress.Bytes
	if worked < estimateAfter || done <= 0 {
		return 0
	}
	return time.Duration(float64(worked) * float64(remaining) / float64(done))
}

func (m *progressReporter) send() {
	m.report(m.progress)
	at := m.progress
	m.index.mu.Lock()
	m.index.status.Progress = &at
	m.index.mu.Unlock()
}
