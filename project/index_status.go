package project

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"ploke-lsp/index"
)

// IndexStatus says what the index holds and does.
type IndexStatus struct {
	State      string // as in [index.Status]
	Files      int
	Symbols    int
	References int
	Error      string
	Progress   *IndexProgress   // nil unless something is being indexed
	Vectors    *EmbeddingStatus // nil unless the settings name a model for vectors
}

// IndexProgress says how far the indexing of one folder is.
type IndexProgress struct {
	Files       int // looked at, unchanged ones included
	TotalFiles  int // 0 until it is known
	Symbols     int // found by this indexing
	Percent     int // from 0 to 100
	SecondsLeft int // an estimate; 0 if there is none
}

// IndexStatus returns the state of the index and of its vectors.
func (p *Project) IndexStatus() *IndexStatus {
	st := p.Index.Status()
	out := &IndexStatus{State: st.State, Files: st.Files, Symbols: st.Symbols, References: st.References, Error: st.Error, Vectors: p.vectors.status()}
	if st.Progress != nil && st.State != index.Ready { // single files are not worth showing
		out.Progress = newIndexProgress(*st.Progress)
	}
	return out
}

func newIndexProgress(at index.Progress) *IndexProgress {
	p := &IndexProgress{
		Files: at.Files, TotalFiles: at.TotalFiles, Symbols: at.Symbols,
		SecondsLeft: int(math.Ceil(at.Left.Round(time.Millisecond).Seconds())),
	}
	switch {
	case at.TotalBytes > 0:
		p.Percent = int(100 * at.Bytes / at.TotalBytes)
	case at.TotalFiles > 0:
		p.Percent = 100 * at.Files / at.TotalFiles
	}
	return p
}

// DescribeProgress is one line for people: "3,210 of 10,677 files, 120,334
// symbols, 14 s left".
func DescribeProgress(at index.Progress) string { return newIndexProgress(at).String() }

// String is one line for people.
func (p *IndexProgress) String() string {
	line := fmt.Sprintf("%s of %s files, %s symbols", Count(p.Files), Count(p.TotalFiles), Count(p.Symbols))
	switch {
	case p.SecondsLeft >= 120:
		line += fmt.Sprintf(", %d min left", (p.SecondsLeft+59)/60)
	case p.SecondsLeft > 0:
		line += fmt.Sprintf(", %d s left", p.SecondsLeft)
	}
	return line
}

// String is one line for people.
func (s *IndexStatus) String() string {
	line := fmt.Sprintf("the index is %s: %s files, %s symbols", s.State, Count(s.Files), Count(s.Symbols))
	first := s.Files == 0 && (s.State == index.Starting || s.State == index.Indexing)
	switch {
	case first && s.Progress != nil && s.Progress.TotalFiles > 0:
		line = "the index is being built: " + s.Progress.String()
	case first:
		line = "the index is being built"
	case s.Error != "":
		line += "; " + s.Error
	case s.Progress != nil:
		line += "; " + s.Progress.String()
	}
	if s.Vectors != nil {
		line += "; " + s.Vectors.String()
	}
	return line
}

// Count writes a number for people: 10677 is "10,677".
func Count(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// RebuildIndex has every file read again. It does not wait.
func (p *Project) RebuildIndex() { p.indexer.rebuild() }

// PauseIndexing stops the indexing until ResumeIndexing. Searches and unsaved text
// are not affected.
func (p *Project) PauseIndexing() { p.indexer.pause() }

// CancelIndexing does what cancelling the progress does: it pauses the indexing and
// shows how to resume it.
func (p *Project) CancelIndexing() { p.indexer.cancelled() }

// ResumeIndexing ends a pause, and resumes the making of vectors if the person
// has cancelled it.
func (p *Project) ResumeIndexing() {
	p.indexer.resume()
	p.vectors.resume()
}

// AwaitIndex waits until the first scan has ended, and fails if the scan did.
func (p *Project) AwaitIndex(ctx context.Context) error {
	select {
	case <-p.indexer.firstScan:
	case <-ctx.Done():
		return ctx.Err()
	}
	if st := p.Index.Status(); st.State == index.Failed {
		return fmt.Errorf("the workspace could not be indexed: %s", st.Error)
	}
	return nil
}
