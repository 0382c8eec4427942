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
	"ploke-lsp/lsp/client"
	"ploke-lsp/project"
)

const (
	// section is the name of our settings among the client's.
	section = "ploke"
	// configurationTimeout is how long the client may take to send its settings;
	// turns wait for the first answer.
	configurationTimeout = 5 * time.Second
)

// foreignKeys are keys of the section, or of initializationOptions, that are not
// settings of the server: our own clients use them.
var foreignKeys = []string{"serverPath", "trace", "clientCapabilities"}

// configuration keeps the settings up to date with the client's: it requests
// workspace/configuration, or takes them from workspace/didChangeConfiguration.
// Either may carry a workspace's own settings.
type configuration struct {
	settings *project.Settings
	client   *client.Client
	log      *slog.Logger
	changed  chan struct{} // the client has other settings
	loaded   chan struct{} // closed when the first request has ended
	loop     sync.WaitGroup

	mu     sync.Mutex
	pushed int // how often the client has sent settings unasked
}

// newConfiguration merges layers with the client's initializationOptions, which
// override them.
func newConfiguration(c *client.Client, log *slog.Logger, layers []config.Layer,
	options protocol.LSPAny) *configuration {
	layers = append(slices.Clone(layers), ownSettings(config.FromJSON("initializationOptions", options)))
	return &configuration{settings: project.NewSettings(layers...), client: c, log: log,
		changed: make(chan struct{}, 1), loaded: make(chan struct{})}
}

// ownSettings removes the keys that are not the server's.
func ownSettings(l config.Layer) config.Layer {
	maps.DeleteFunc(l.Values, func(key string, _ any) bool { return slices.Contains(foreignKeys, key) })
	return l
}

// start follows the client's settings until ctx ends.
func (f *configuration) start(ctx context.Context) {
	f.loop.Go(func() { f.follow(ctx) })
}

// wait returns when ctx of start has ended and no settings are applied any more.
func (f *configuration) wait() {
	if f != nil {
		f.loop.Wait()
	}
}

func (f *configuration) follow(ctx context.Context) {
	if f.client.SupportsConfiguration {
		f.request(ctx)
	}
	close(f.loaded)
	if f.client.RegistersConfigurationChanges {
		f.register(ctx)
	}
	for {
		select {
		case <-f.changed:
			f.request(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// register asks the client to report changes, which some clients do only then.
func (f *configuration) register(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, configurationTimeout)
	defer cancel()
	err := f.client.Call(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{
		Registrations: []protocol.Registration{{
			ID: "ploke settings", Method: protocol.MethodWorkspaceDidChangeConfiguration,
			RegisterOptions: client.MustMarshal(map[string]string{"section": section}),
		}},
	}, nil)
	if err != nil && ctx.Err() == nil {
		f.log.Warn("the client does not report changed settings", "error", err)
	}
}

// request requests the client's settings and takes them, unless the client has
// sent newer ones meanwhile.
func (f *configuration) request(ctx context.Context) {
	f.mu.Lock()
	before := f.pushed
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, configurationTimeout)
	defer cancel()
	name := section
	var answers []json.RawMessage
	err := f.client.Call(ctx, protocol.MethodWorkspaceConfiguration,
		&protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &answers)
	if err != nil || len(answers) != 1 {
		f.log.Warn("the client did not send its settings", "error", err, "answers", len(answers))
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pushed == before {
		f.settings.SetLive(ownSettings(config.FromJSON("the editor's settings", answers[0])))
	}
}

// push takes settings that the client sends unasked: {"ploke": …}, or, from a
// client that sends only ours, the bare settings. It reports whether there were
// any.
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
	f.settings.SetLive(ownSettings(layer))
	return true
}

// didChangeConfiguration takes the settings that are sent with it, or requests
// them. A turn keeps the settings of its start.
func (s *Server) didChangeConfiguration(_ context.Context, p *protocol.DidChangeConfigurationParams) error {
	if f := s.configuration; !f.push(p.Settings) && f.client.SupportsConfiguration {
		select {
		case f.changed <- struct{}{}:
		default:
		}
	}
	return nil
}
