package project

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ploke-lsp/internal/config"
	"ploke-lsp/session"
	"ploke-lsp/tools"
)

// A workspace can write the live settings. If these name a model of another provider than
// the user's own settings do, code and messages could go elsewhere, and cost money. So the
// person is asked, once for each provider and folder. Until then, and after a refusal, the
// user's own model answers.

// modelPermissions are the person's answers. The zero value permits nothing.
type modelPermissions struct {
	ask       func(own, model string) error // nil until the project is open
	asked     map[string]bool               // by provider
	permitted map[string]bool
}

// restrictModels replaces models of the merged settings that need a permission by the
// user's own. The lock is held.
func (s *Settings) restrictModels() {
	own, _ := config.Merge(s.fixed...)
	for _, m := range []struct {
		merged *string
		own    string
	}{{&s.merged.Model, own.Model}, {&s.merged.Fallback, own.Fallback}} {
		provider := providerOf(*m.merged)
		if provider == providerOf("") || provider == providerOf(own.Model) || provider == providerOf(own.Fallback) ||
			s.models.permitted[provider] {
			continue
		}
		s.askForModel(*m.merged, own.Model)
		*m.merged = m.own
	}
}

// providerOf returns the provider in the name of a model.
func providerOf(model string) string {
	if model == "" {
		return "embedded"
	}
	provider, _, _ := strings.Cut(model, "/")
	return provider
}

// askForModel asks the person in the background, once for each provider. The lock is held.
func (s *Settings) askForModel(model, own string) {
	provider := providerOf(model)
	if s.models.ask == nil || s.models.asked[provider] {
		return
	}
	if s.models.asked == nil {
		s.models.asked, s.models.permitted = map[string]bool{}, map[string]bool{}
	}
	s.models.asked[provider] = true
	s.asking.Go(func() {
		err := s.models.ask(own, model)
		if err != nil && !errors.Is(err, tools.ErrDenied) {
			s.log.Warn("no permission for a model of the editor's settings", "model", model, "error", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if err == nil {
			s.models.permitted[provider] = true
			s.merge()
		}
	})
}

// askPermissionFor asks the person for permission to use a model that the live settings name.
func askPermissionFor(ctx context.Context, engine *session.Engine, settings *Settings, own, model string) error {
	provider := providerOf(model)
	if own == "" {
		own = "embedded"
	}
	where := ""
	if url := settings.Now().Providers[provider].BaseURL; url != "" {
		where = " at " + url
	}
	return engine.AskPermission(ctx, tools.Permission{
		Title: "use the model " + model + " in this folder",
		Detail: fmt.Sprintf("The editor's settings name it, and a workspace can write these. Messages and code would go to "+
			"%s%s, and may cost money. Your own settings name %s.",
			provider, where, own),
		Key: "model of the provider " + provider,
	})
}
