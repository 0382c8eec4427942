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
type meter struct {
	index   *Index
	tell    func(Progress)
	at      Progress
	before  int64     // bytes that were up to date from the start
	started time.Time // of the reading
}

// newMeter begins to tell about the update of a root.
func (x *Index) newMeter(root string, tell func(Progress)) *meter {
	m := &meter{index: x, tell: tell, at: Progress{Root: root}}
	m.report()
	return m
}

// planned says what there is to do.
func (m *meter) planned(p *plan) {
	m.started = time.Now()
	m.at.TotalFiles, m.at.TotalBytes = p.total, p.bytes
	m.at.Files, m.at.Bytes = p.total, p.bytes
	for _, c := range p.read {
		m.at.Files--
		m.at.Bytes -= c.size
	}
	m.before = m.at.Bytes
	m.report()
}

// passed counts a file that was looked at.
func (m *meter) passed(f reading) {
	m.at.Files++
	m.at.Bytes += f.size
	m.at.Symbols += f.symbolCount
	if m.at.Files%progressEvery == 0 || m.at.Files == m.at.TotalFiles {
		m.at.Left = m.left()
		m.report()
	}
}

// left estimates by the bytes of the files how long the rest takes.
func (m *meter) left() time.Duration {
	worked := time.Since(m.started)
	done, rest := m.at.Bytes-m.before, m.at.TotalBytes-m.at.Bytes
	if worked < estimateAfter || done <= 0 {
		return 0
	}
	return time.Duration(float64(worked) * float64(rest) / float64(done))
}

func (m *meter) report() {
	m.tell(m.at)
	at := m.at
	m.index.mu.Lock()
	m.index.status.Progress = &at
	m.index.mu.Unlock()
}
