package indexing

import (
	"fmt"
	"math"
	"time"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
)

// ScanProgress says how far the indexing of one folder is.
type ScanProgress struct {
	Files       int // looked at, unchanged ones included
	TotalFiles  int // 0 until it is known
	Symbols     int // found by this indexing
	Percent     int // from 0 to 100
	SecondsLeft int // an estimate; 0 if there is none
}

// NewScanProgress returns what a running update of the index reports, as people read it.
func NewScanProgress(at index.Progress) *ScanProgress {
	p := &ScanProgress{
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

// String is one line for people.
func (p *ScanProgress) String() string {
	line := fmt.Sprintf("%s of %s files, %s symbols", display.Count(p.Files), display.Count(p.TotalFiles),
		display.Count(p.Symbols))
	switch {
	case p.SecondsLeft >= 120:
		line += fmt.Sprintf(", %d min left", (p.SecondsLeft+59)/60)
	case p.SecondsLeft > 0:
		line += fmt.Sprintf(", %d s left", p.SecondsLeft)
	}
	return line
}
