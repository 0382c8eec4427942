package main

import (
	"context"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"ploke-lsp/internal/syntax"
)

type listRequest struct {
	List   string
	Rounds int // of statAll
}

// parseAll reads the listed files and parses those in supported languages, on all cores, and does
// nothing else.
func parseAll(_ context.Context, r listRequest) (parsed int, err error) {
	files, err := readList(r.List)
	if err != nil {
		return 0, err
	}
	var next, count atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(files)); i = next.Add(1) - 1 {
				text, err := os.ReadFile(files[i].path)
				if err != nil || files[i].language == "" {
					continue
				}
				if syntax.ParseOnly(files[i].language, text) == nil {
					count.Add(1)
				}
			}
		})
	}
	workers.Wait()
	return int(count.Load()), nil
}

// statAll calls lstat for the listed files one after another, and returns the time of each round.
func statAll(_ context.Context, r listRequest) ([]time.Duration, error) {
	files, err := readList(r.List)
	if err != nil {
		return nil, err
	}
	var took []time.Duration
	for range r.Rounds {
		started := time.Now()
		for _, f := range files {
			if _, err := os.Lstat(f.path); err != nil {
				return nil, err
			}
		}
		took = append(took, time.Since(started))
	}
	return took, nil
}
