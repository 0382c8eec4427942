package project

import (
	"context"
	"fmt"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/project/indexing"
)

// IndexStatus says what the index holds and does.
type IndexStatus struct {
	State      string // as in [index.Status]
	Files      int
	Symbols    int
	References int
	Error      string
	Progress   *indexing.ScanProgress // nil unless something is being indexed
	Vectors    *EmbeddingStatus       // nil unless the settings name a model for vectors
}

// IndexStatus returns the state of the index and of its vectors.
func (p *Project) IndexStatus() *IndexStatus {
	st := p.Index.Status()
	out := &IndexStatus{State: st.State, Files: st.Files, Symbols: st.Symbols, References: st.References, Error: st.Error,
		Vectors: p.vectors.status()}
	if st.Progress != nil && st.State != index.Ready { // single files are not worth showing
		out.Progress = indexing.NewScanProgress(*st.Progress)
	}
	return out
}

// DescribeProgress is one line for people: "3,210 of 10,677 files, 120,334
// symbols, 14 s left".
func DescribeProgress(at index.Progress) string { return indexing.NewScanProgress(at).String() }

// String is one line for people.
func (s *IndexStatus) String() string {
	line := fmt.Sprintf("the index is %s: %s files, %s symbols", s.State, display.Count(s.Files), display.Count(s.Symbols))
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

// ResumeIndexing ends a pause, and resumes the making of vectors if the person
// has cancelled it.
func (p *Project) ResumeIndexing() {
	p.Indexer.Resume()
	p.vectors.resume()
}

// AwaitIndex waits until the first scan has ended, and fails if the scan did.
func (p *Project) AwaitIndex(ctx context.Context) error {
	select {
	case <-p.Indexer.ScannedOnce():
	case <-ctx.Done():
		return ctx.Err()
	}
	if st := p.Index.Status(); st.State == index.Failed {
		return fmt.Errorf("the workspace could not be indexed: %s", st.Error)
	}
	return nil
}
