package acp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/llm"
)

// The settings of a session.
const (
	modelOption      = "model"
	effortOption     = "effort"
	autoAcceptOption = "auto-accept"
)

// maxListedModels is how many models the client can choose from. Of more, only those that the
// settings name are offered.
const maxListedModels = 500

// chosenModel returns the model of the session's turns, "" for the one of the settings.
func (s *openSession) chosenModel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.model
}

// configOptions returns the settings of the session with their values.
func (s *openSession) configOptions() []protocol.ConfigOption {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, effort := currentModel(s)
	if !slices.Contains(s.models, current) {
		s.models = append(s.models, current)
	}
	model := protocol.ConfigOption{Type: "select", ID: modelOption, Name: "Model", Category: "model",
		Description: "The model that answers", CurrentValue: current}
	for _, id := range s.models {
		model.Options = append(model.Options, protocol.ConfigChoice{Value: id, Name: id})
	}
	options := []protocol.ConfigOption{model}
	if words := s.efforts[current]; len(words) > 0 {
		options = append(options, effortChoice(words, effort))
	}
	return append(options, s.autoAccept())
}

// currentModel returns the model of the session's turns, and its effort. The lock is held.
func currentModel(s *openSession) (model, effort string) {
	return llm.CutEffort(cmp.Or(s.model, s.folder.project.Models.Default()))
}

// standardEffort is the value of the setting if the model decides.
const standardEffort = "default"

// effortChoice returns the setting for how long a model reasons, which has words for that.
func effortChoice(words []string, current string) protocol.ConfigOption {
	option := protocol.ConfigOption{Type: "select", ID: effortOption, Name: "Effort", Category: "thought_level",
		Description: "How long the model reasons before it answers", CurrentValue: cmp.Or(current, standardEffort)}
	for _, word := range append([]string{standardEffort}, words...) {
		option.Options = append(option.Options, protocol.ConfigChoice{Value: word, Name: word})
	}
	return option
}

// autoAccept returns the setting that applies edits without asking. Clients that have no switches
// get a choice.
func (s *openSession) autoAccept() protocol.ConfigOption {
	on := s.folder.project.AutoAccept.On(s.id)
	option := protocol.ConfigOption{Type: "boolean", ID: autoAcceptOption, Name: "Accept edits automatically",
		CurrentValue: on,
		Description:  "Apply proposed edits without asking. Files that run or instruct by themselves are always asked about."}
	if s.client.booleans() {
		return option
	}
	option.Type, option.CurrentValue = "select", onOff(on)
	option.Options = []protocol.ConfigChoice{{Value: onOff(false), Name: "Ask"}, {Value: onOff(true), Name: "Accept"}}
	return option
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func (s *openSession) configUpdate() protocol.ConfigUpdate {
	return protocol.ConfigUpdate{Kind: "config_option_update", ConfigOptions: s.configOptions()}
}

// listModels returns the models of the providers, who are asked once. Too many are none. Providers that need a key are
// left out: a person who only opens a panel is not asked for one.
func (f *folder) listModels(ctx context.Context) []project.ListedModel {
	f.askModels.Do(func() {
		f.models = f.project.Models.ListUnprompted(ctx).Models
		if len(f.models) > maxListedModels {
			f.models = nil
		}
	})
	return f.models
}

// sendModels sends the models and efforts that the session did not know.
func (s *openSession) sendModels(all []project.ListedModel) {
	s.mu.Lock()
	known := len(s.models)
	s.efforts = map[string][]string{}
	for _, m := range all {
		if !slices.Contains(s.models, m.ID) {
			s.models = append(s.models, m.ID)
		}
		s.efforts[m.ID] = m.Model.Efforts
	}
	current, _ := currentModel(s)
	more := len(s.models) > known || len(s.efforts[current]) > 0
	s.mu.Unlock()
	if more {
		s.update(s.configUpdate())
	}
}

// setConfigOption changes a setting of a session.
func (a *Agent) setConfigOption(ctx context.Context,
	p *protocol.SetConfigOptionRequest) (*protocol.SetConfigOptionResponse, error) {
	s, err := a.sessions.get(p.SessionID)
	if err != nil {
		return nil, err
	}
	switch p.ConfigID {
	case modelOption:
		err = s.setModel(p.Value)
	case effortOption:
		err = s.setEffort(p.Value)
	case autoAcceptOption:
		err = s.setAutoAccept(p.Value)
	default:
		err = invalidParams("there is no setting %q", p.ConfigID)
	}
	if err != nil {
		return nil, err
	}
	return &protocol.SetConfigOptionResponse{ConfigOptions: s.configOptions()}, nil
}

func (s *openSession) setModel(value json.RawMessage) error {
	var model string
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := json.Unmarshal(value, &model); err != nil || !slices.Contains(s.models, model) {
		return invalidParams("there is no model %q to choose", string(value))
	}
	s.model = model
	return nil
}

// setEffort changes how long the model of the session reasons.
func (s *openSession) setEffort(value json.RawMessage) error {
	var effort string
	s.mu.Lock()
	defer s.mu.Unlock()
	model, _ := currentModel(s)
	words := append([]string{standardEffort}, s.efforts[model]...)
	if err := json.Unmarshal(value, &effort); err != nil || !slices.Contains(words, effort) {
		return invalidParams("%s has no effort %s: choose one of %s", model, value, strings.Join(words, ", "))
	}
	s.model = llm.WithEffort(model, strings.TrimPrefix(effort, standardEffort))
	return nil
}

func (s *openSession) setAutoAccept(value json.RawMessage) error {
	var on bool
	switch string(value) {
	case `true`, `"on"`:
		on = true
	case `false`, `"off"`:
	default:
		return invalidParams("the value of %s is on or off, not %s", autoAcceptOption, value)
	}
	s.folder.project.AutoAccept.Set(s.id, on)
	return nil
}
