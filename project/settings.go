package project

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"

	"ploke-lsp/internal/config"
	"ploke-lsp/project/commands"
)

// Settings are the settings in force, merged from layers: the fixed ones, such
// as the user's file and the environment, and above them the live one, which the
// front end may replace at any time. It is safe for concurrent use.
type Settings struct {
	mu       sync.Mutex
	fixed    []config.Layer // the strongest last
	live     config.Layer
	merged   config.Settings
	problems []config.Problem // of the merge
	reported map[string]bool  // the mistakes that were shown
	apply    func(old, changed config.Settings)
	models   modelPermissions
	asking   sync.WaitGroup
	frontEnd FrontEnd // nil until the project is open
	log      *slog.Logger
}

// NewSettings merges layers, the strongest last. Mistakes in them are reported
// once a project is open.
func NewSettings(layers ...config.Layer) *Settings {
	s := &Settings{fixed: slices.Clone(layers), reported: map[string]bool{}}
	s.merged, s.problems = config.Merge(s.fixed...)
	return s
}

// Now returns the settings in force. The caller must not modify them.
func (s *Settings) Now() config.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.merged
}

// Problems returns the mistakes in the settings in force.
func (s *Settings) Problems() []config.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// Unreadable returns an error if a file of settings can't be read. What it says of models, of files
// that are left out and of what may be done unasked is not known then, so no model may answer.
func (s *Settings) Unreadable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.fixed {
		if l.File != "" && l.Err != nil {
			return fmt.Errorf("the settings in %s can't be read: %w; correct the file, or name another one with --config",
				l.Source, l.Err)
		}
	}
	return nil
}

// File returns the path of the user's file, which need not exist; "" if there is none.
func (s *Settings) File() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, layer := range s.fixed {
		if layer.File != "" {
			return layer.File
		}
	}
	return ""
}

// SetLive replaces the live layer. It may carry a workspace's own settings, so
// keys that only the user may set are refused in it.
func (s *Settings) SetLive(layer config.Layer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = layer
	s.live.Workspace = true
	s.merge()
}

// Refresh reads the layers that come from files again, where a file has changed.
func (s *Settings) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := false
	for i, layer := range s.fixed {
		if layer.Changed() {
			s.fixed[i], changed = config.OptionalFile(layer.File), true
		}
	}
	if changed {
		s.merge()
	}
}

// logProblems logs the mistakes, for a program without a project.
func (s *Settings) logProblems(log *slog.Logger) {
	for _, p := range s.problems {
		log.Warn("a mistake in the settings", "problem", p.String())
	}
}

// start has mistakes reported to f and log, changes passed to apply, and the person asked
// for models with askForModel.
func (s *Settings) start(apply func(old, changed config.Settings), f FrontEnd, log *slog.Logger,
	askForModel func(own, model string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.apply, s.frontEnd, s.log, s.models.ask = apply, f, log, askForModel
	s.merge()
}

// stop ends what start began, and waits for it. The questions must end by themselves.
func (s *Settings) stop() {
	s.mu.Lock()
	s.models.ask = nil
	s.mu.Unlock()
	s.asking.Wait()
}

// merge merges the layers, applies the result and reports new mistakes. The lock
// is held.
func (s *Settings) merge() {
	old := s.merged
	s.merged, s.problems = config.Merge(append(slices.Clone(s.fixed), s.live)...)
	s.restrictModels()
	if s.frontEnd == nil {
		return
	}
	s.apply(old, s.merged)
	for _, p := range s.problems {
		if text := p.String(); !s.reported[text] {
			s.reported[text] = true
			s.log.Warn("a mistake in the settings", "problem", text)
			s.frontEnd.ShowMessage(Warning, fmt.Sprintf("in the settings, %s", text))
		}
	}
}

// SlashCommands returns the slash commands. The user's are read as they are now.
func (s *Settings) SlashCommands() commands.List { return commands.Read(s.commandsFolder()) }

// commandsFolder returns the user's folder with slash commands; "" if there can't be one.
func (s *Settings) commandsFolder() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, layer := range slices.Backward(s.fixed) {
		if layer.File != "" {
			return filepath.Join(filepath.Dir(layer.File), "commands")
		}
	}
	return ""
}
