package session

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/redact"
)

// ToAgents is the provider of the ledger's entries that are no requests to a model, but what another program's agent
// was given over MCP.
const ToAgents = "MCP"

// HandedOver is what another program's agent is given of one call.
type HandedOver struct {
	Agent string // what the program calls itself
	Call  string // the tool's name, or what kind of resource was read
	Texts []string
	Took  time.Duration
}

// RecordHandedOver stores an entry of the ledger. What it describes may be given only if there is no error.
func (e *Engine) RecordHandedOver(ctx context.Context, h HandedOver) error {
	item := newSentItem("result", h.Texts...)
	files := newSentFiles()
	for _, text := range h.Texts {
		item.Secrets = max(item.Secrets, len(redact.Placeholders(text))) // the texts say the same in two forms
		addFiles(e.kept.render, &files, []llm.Message{{Role: llm.Tool, Text: text}})
	}
	entry := entry{id: newID(), provider: ToAgents, host: h.Agent, model: h.Call, sent: []sentItem{item},
		files: append([]SentFile{}, files.all...), latency: h.Took}
	err := e.opts.DB.Record(ctx, func(tx *sql.Tx) error {
		if err := entry.insert(ctx, tx); err != nil {
			return err
		}
		return entry.settle(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("the ledger could not be written, so nothing is handed over: %w", err)
	}
	return nil
}
