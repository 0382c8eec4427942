package project

import (
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/project/indexing"
)

func TestIndexStatusString(t *testing.T) {
	for want, got := range map[string]string{
		"3,210 of 10,677 files, 120,334 symbols, 14 s left": (&indexing.ScanProgress{Files: 3210, TotalFiles: 10677, Symbols: 120334,
			SecondsLeft: 14}).String(),
		"0 of 7 files, 0 symbols": (&indexing.ScanProgress{TotalFiles: 7}).String(),
		"1 of 1,000,000 files, 999 symbols, 3 min left": (&indexing.ScanProgress{Files: 1, TotalFiles: 1e6, Symbols: 999,
			SecondsLeft: 121}).String(),
		"the index is ready: 1,234 files, 5 symbols":       (&IndexStatus{State: index.Ready, Files: 1234, Symbols: 5}).String(),
		"the index is failed: 1 files, 5 symbols; no room": (&IndexStatus{State: index.Failed, Files: 1, Symbols: 5, Error: "no room"}).String(),
		"the index is being built":                         (&IndexStatus{State: index.Starting}).String(),
		"the index is being built: 1 of 2 files, 3 symbols": (&IndexStatus{
			State: index.Indexing, Progress: &indexing.ScanProgress{Files: 1, TotalFiles: 2, Symbols: 3}}).String(),
		"the index is indexing: 5 files, 9 symbols; 1 of 2 files, 3 symbols": (&IndexStatus{
			State: index.Indexing, Files: 5, Symbols: 9, Progress: &indexing.ScanProgress{Files: 1, TotalFiles: 2, Symbols: 3}}).String(),
		"the index is ready: 0 files, 0 symbols; vectors of home/m: making, 640 of 3,210 passages": (&IndexStatus{
			State: index.Ready, Vectors: &EmbeddingStatus{Model: "home/m", State: EmbeddingMaking, Passages: 640, Total: 3210}}).String(),
		"the index is paused: 0 files, 0 symbols; 1 of 2 files, 3 symbols": (&IndexStatus{
			State: index.Paused, Progress: &indexing.ScanProgress{Files: 1, TotalFiles: 2, Symbols: 3}}).String(),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
