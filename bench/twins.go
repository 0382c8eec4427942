package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/index"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

const (
	// sharedMegabytes and ownMegabytes are what they may take: together, and each in addition.
	sharedMegabytes, ownMegabytes = 250.0, 20.0
	// heardTarget is how many milliseconds after a change in an editor another process must find it.
	heardTarget = 100.0
)

// twins measures several processes that have the tree open: their memory, and how soon one finds
// what is typed in another one's editor.
func (b *bench) twins(ctx context.Context, t *tree) (err error) {
	if _, err := b.newState(t); err != nil {
		return err
	}
	servers, err := b.serveTwins(ctx, t)
	defer func() {
		for _, s := range servers {
			err = errors.Join(err, s.shutDown(ctx))
		}
	}()
	if err != nil {
		return err
	}
	var sum int64
	for _, s := range servers {
		if _, err := s.waitForStableMemory(ctx, b.sampling.stableFor); err != nil {
			return err
		}
	}
	for _, s := range servers {
		share, err := proportionalShare(s.cmd.Process.Pid)
		if err != nil {
			return err
		}
		sum += share
	}
	b.table.add(megabytes(t.name, fmt.Sprintf("%d processes at rest, PSS", len(servers)), sum).
		atMost(sharedMegabytes + float64(len(servers))*ownMegabytes))
	took, err := b.timeTwin(ctx, t, servers[0])
	if err != nil {
		return err
	}
	b.table.add(
		millis(t.name, "typed to found in another process, p50", percentile(took, 50)).note("%d edits", len(took)),
		millis(t.name, "typed to found in another process, p99", percentile(took, 99)).atMost(heardTarget),
	)
	return nil
}

// serveTwins starts the servers at once. One of them indexes the tree.
func (b *bench) serveTwins(ctx context.Context, t *tree) (servers []*server, err error) {
	var mu sync.Mutex
	var starting sync.WaitGroup
	for range b.sampling.twins {
		starting.Go(func() {
			s, failure := b.serve(ctx, t)
			mu.Lock()
			defer mu.Unlock()
			if failure != nil {
				err = errors.Join(err, failure)
				return
			}
			servers = append(servers, s)
		})
	}
	starting.Wait()
	return servers, err
}

// proportionalShare returns the memory of a process in bytes, of which each page that processes
// share counts in equal parts for each of them.
func proportionalShare(pid int) (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, fmt.Errorf("%w: only root may read it of a process that hides its memory", err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("process %d has no proportional share", pid)
}

// timeTwin measures the time from didChange at a server until a search in this process finds the
// text.
func (b *bench) timeTwin(ctx context.Context, t *tree, s *server) (took []time.Duration, err error) {
	text, err := os.ReadFile(t.EditFile)
	if err != nil {
		return nil, err
	}
	f, err := project.OpenFolder(ctx, project.Options{StateDir: t.state, Settings: project.NewSettings(),
		Getenv: os.Getenv, KeepVectors: true}, t.dir, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	id := uri.File(t.EditFile)
	open := protocol.TextDocumentItem{URI: id, Version: 1, Text: string(text)}
	if err := s.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen,
		&protocol.DidOpenTextDocumentParams{TextDocument: open}); err != nil {
		return nil, err
	}
	mapper := ploke.NewMapper(text, s.encoding)
	for i, e := range insertions(text, b.sampling.edits) {
		params := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangeWholeDocument{Text: string(text)}, // removes the previous insertion
			&protocol.TextDocumentContentChangePartial{Range: mapper.Range(e.at, e.at), Text: e.text},
		}}
		params.TextDocument = protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: id}, Version: int32(i + 2)}
		started := time.Now()
		if err := s.conn.Notify(ctx, protocol.MethodTextDocumentDidChange, params); err != nil {
			return nil, err
		}
		if err := awaitInFolder(ctx, f, e.text, t.EditFile); err != nil {
			return nil, err
		}
		took = append(took, time.Since(started))
	}
	return took, nil
}

// awaitInFolder searches for a word until a search finds it in the file.
func awaitInFolder(ctx context.Context, f *project.Folder, word, path string) error {
	for limit := time.Now().Add(foundTimeout); time.Now().Before(limit); {
		found, err := f.Index.Search(ctx, index.Query{Text: word})
		if err != nil {
			return err
		}
		if len(found.Hits) > 0 && found.Hits[0].Path == path {
			return nil
		}
	}
	return fmt.Errorf("%q was typed in another process and is not found after %v", word, foundTimeout)
}
