package lsp

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
)

const (
	// section is the name of our settings among the client's.
	section = "ploke"
	// configurationPatience is how long the client may take to tell its
	// settings; turns wait for the first answer.
	configurationPatience = 5 * time.Second
)

// foreignKeys are in the section, or in initializationOptions, and not settings
// of the server's: our own clients', and what the client understands.
var foreignKeys = []string{"serverPath", "trace", "clientCapabilities"}

// configuration is the settings that hold now. While the server runs it keeps
// them to what the client says: by workspace/configuration, or in
// workspace/didChangeConfiguration. Either may carry a workspace's own settings.
type configuration struct {
	client  *client
	log     *slog.Logger
	apply   func(old, changed config.Settings) // set before it starts
	changed chan struct{}                      // the client has something to tell
	settled chan struct{}                      // closed once it has been asked for the first time
	loop    sync.WaitGroup

	mu       sync.Mutex
	fixed    []config.Layer // the strongest last
	live     config.Layer   // what the client has said since, above them
	pushed   int            // how often it did so unasked
	settings config.Settings
	told     map[string]bool // the mistakes that were shown
}

// newConfiguration takes what holds before the client's say and its
// initializationOptions.
func newConfiguration(c *client, log *slog.Logger, before []config.Layer, options protocol.LSPAny) *configuration {
	f := &configuration{client: c, log: log, apply: func(_, _ config.Settings) {}, changed: make(chan struct{}, 1),
		settled: make(chan struct{}), told: map[string]bool{}}
	f.fixed = append(slices.Clone(before), ownSettings(config.FromJSON("initializationOptions", options)))
	f.settings, _ = config.Merge(f.fixed...)
	return f
}

func ownSettings(l config.Layer) config.Layer {
	maps.DeleteFunc(l.Values, func(key string, _ any) bool { return slices.Contains(foreignKeys, key) })
	return l
}

// now returns the settings that hold. The caller must not change them.
func (f *configuration) now() config.Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settings
}

// start shows what is wrong, and follows the client's settings until ctx ends.
func (f *configuration) start(ctx context.Context, apply func(old, changed config.Settings)) {
	f.apply = apply
	f.mu.Lock()
	f.merge()
	f.mu.Unlock()
	f.loop.Go(func() { f.follow(ctx) })
}

// wait returns when ctx of start has ended and nothing is applied any more.
func (f *configuration) wait() {
	if f != nil {
		f.loop.Wait()
	}
}

func (f *configuration) follow(ctx context.Context) {
	if f.client.asksConfiguration {
		f.ask(ctx)
	}
	close(f.settled)
	if f.client.registersConfiguration {
		f.register(ctx)
	}
	for {
		select {
		case <-f.changed:
			f.ask(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// register wants the client to tell of changes, which some do only then.
func (f *configuration) register(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, configurationPatience)
	defer cancel()
	err := protocol.Call(ctx, f.client.conn, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{
		Registrations: []protocol.Registration{{
			ID: "ploke/configuration", Method: protocol.MethodWorkspaceDidChangeConfiguration,
			RegisterOptions: mustMarshal(map[string]string{"section": section}),
		}},
	}, nil)
	if err != nil && ctx.Err() == nil {
		f.log.Warn("the client does not tell of changed settings", "error", err)
	}
}

// ask takes the client's answer, unless it has said something newer since.
func (f *configuration) ask(ctx context.Context) {
	f.mu.Lock()
	before := f.pushed
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, configurationPatience)
	defer cancel()
	name := section
	var answers []json.RawMessage
	err := protocol.Call(ctx, f.client.conn, protocol.MethodWorkspaceConfiguration,
		&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &answers)
	if err != nil || len(answers) != 1 {
		f.log.Warn("the client did not tell its settings", "error", err, "answers", len(answers))
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pushed == before {
		f.take(config.FromJSON("the editor's settings", answers[0]))
	}
}

// push takes settings that the client sends unasked: {"ploke": …}, or for a
// client that has nothing but ours, the bare settings. It reports whether there
// were any.
func (f *configuration) push(sent protocol.LSPAny) bool {
	layer := config.FromJSON("the editor's settings", sent)
	if nested, ok := layer.Values[section]; ok {
		layer.Values, _ = nested.(map[string]any)
	} else if !layer.Known() {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pushed++
	f.take(layer)
	return true
}

// refresh reads the user's file again if it has changed.
func (f *configuration) refresh() {
	f.mu.Lock()
	defer f.mu.Unlock()
	changed := false
	for i, layer := range f.fixed {
		if layer.Changed() {
			f.fixed[i], changed = config.OptionalFile(layer.File), true
		}
	}
	if changed {
		f.merge()
	}
}

// take replaces what the client has said. The lock is held.
func (f *configuration) take(layer config.Layer) {
	f.live = ownSettings(layer)
	f.live.Workspace = true
	f.merge()
}

// merge finds what holds now, applies it and shows new mistakes. The lock is
// held.
func (f *configuration) merge() {
	old := f.settings
	var problems []config.Problem
	f.settings, problems = config.Merge(append(slices.Clone(f.fixed), f.live)...)
	f.apply(old, f.settings)
	for _, p := range problems {
		if text := p.String(); !f.told[text] {
			f.told[text] = true
			f.log.Warn("a mistake in the settings", "problem", text)
			f.client.showMessage(protocol.MessageTypeWarning, "ploke: in the settings, %s", text)
		}
	}
}

// didChangeConfiguration takes what is sent with it, or asks. What holds for a
// turn is what held when it began.
func (s *Server) didChangeConfiguration(_ context.Context, p *protocol.DidChangeConfigurationParams) error {
	if f := s.configuration; !f.push(p.Settings) && f.client.asksConfiguration {
		signal(f.changed)
	}
	return nil
}
