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

// inSentence returns how a sentence goes on with an attribute.
func inSentence(a slog.Attr) string {
	switch a.Key {
	case "problem", "error", "reason":
		return fmt.Sprintf(": %v", a.Value)
	}
	return fmt.Sprintf(", %s %v", a.Key, a.Value)
}

// Handle implements [slog.Handler].
func (w *warnings) Handle(_ context.Context, r slog.Record) error {
	var line strings.Builder
	word := "warning"
	if r.Level >= slog.LevelError {
		word = "error"
	}
	fmt.Fprintf(&line, "%s: %s", word, r.Message)
	for _, a := range w.about {
		line.WriteString(inSentence(a))
	}
	r.Attrs(func(a slog.Attr) bool {
		line.WriteString(inSentence(a))
		return true
	})
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
