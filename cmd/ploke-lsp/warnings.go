package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// warnings writes what is logged as sentences, for the person at a command.
type warnings struct {
	mu    *sync.Mutex
	out   io.Writer
	level slog.Level
	about []slog.Attr
}

func newWarnings(out io.Writer, level slog.Level) slog.Handler {
	return &warnings{mu: new(sync.Mutex), out: out, level: level}
}

// Enabled implements [slog.Handler].
func (w *warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= w.level }

// Handle implements [slog.Handler].
func (w *warnings) Handle(_ context.Context, r slog.Record) error {
	var line strings.Builder
	word := "warning"
	if r.Level >= slog.LevelError {
		word = "error"
	}
	fmt.Fprintf(&line, "%s: %s", word, r.Message)
	add := func(a slog.Attr) bool {
		if a.Key == "problem" || a.Key == "error" || a.Key == "reason" {
			fmt.Fprintf(&line, ": %v", a.Value)
		} else {
			fmt.Fprintf(&line, ", %s %v", a.Key, a.Value)
		}
		return true
	}
	for _, a := range w.about {
		add(a)
	}
	r.Attrs(add)
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := fmt.Fprintln(w.out, line.String())
	return err
}

// WithAttrs implements [slog.Handler].
func (w *warnings) WithAttrs(about []slog.Attr) slog.Handler {
	with := *w
	with.about = append(w.about[:len(w.about):len(w.about)], about...)
	return &with
}

// WithGroup implements [slog.Handler]. A sentence has no groups.
func (w *warnings) WithGroup(string) slog.Handler { return w }
