package index_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"ploke-lsp/index"
)

// TestATransactionEndsWithItsContext writes after the end of a context, which rolls the transaction back on another
// goroutine.
func TestATransactionEndsWithItsContext(t *testing.T) {
	p := open(t, sample)
	p.update()
	ctx, cancel := context.WithCancel(t.Context())
	if err := p.index.WriteAfter(ctx, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestClosingDuringBackgroundWorkIsSilent closes an index while work in the background fails because of it.
func TestClosingDuringBackgroundWorkIsSilent(t *testing.T) {
	p := open(t, sample)
	var log bytes.Buffer
	options := p.options()
	options.Logger = slog.New(slog.NewTextHandler(&log, nil))
	x, err := index.Open(t.Context(), p.ws, options)
	if err != nil {
		t.Fatal(err)
	}
	x.InBackground("a failure", func(context.Context) error { return errors.New("no luck") })
	x.Settle()
	if !bytes.Contains(log.Bytes(), []byte("no luck")) {
		t.Errorf("a failure is not logged: %s", &log)
	}
	log.Reset()
	x.InBackground("the end", func(ctx context.Context) error {
		<-ctx.Done()
		return errors.New("sql: transaction has already been committed or rolled back")
	})
	if err := x.Close(); err != nil || log.Len() > 0 {
		t.Errorf("closing: %v; the log: %s", err, &log)
	}
}
