package project

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/shell"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

// A Finding says how one thing is that the server needs, and what to do if it does not work. It
// never contains a key.
type Finding struct {
	Level   Level
	What    string // one word, such as "index"
	Text    string
	Command string // for a terminal: what fixes it, or leads on; "" if there is none
}

// Level says how serious a finding is.
type Level string

// The levels.
const (
	Fine      Level = "ok"
	Suspect   Level = "warning"
	Essential Level = "error" // something essential does not work
)

// SettingsFindings reports the mistakes in the settings. file is the user's, "" if there is none.
func SettingsFindings(problems []config.Problem, file string) (found []Finding) {
	for _, p := range problems {
		f := Finding{Level: Suspect, What: "settings", Text: p.String()}
		if p.Key == "" { // all of it is ignored
			f.Level = Essential
		}
		if file != "" && (p.Source == "" || p.Source == file) {
			f.Command = shell.Edit(file)
		}
		found = append(found, f)
	}
	return found
}

// PermissionFindings lists permanent answers to requests for permission. revoke says how one of
// them is deleted.
func PermissionFindings(answers []session.StandingAnswer, revoke func(key string) string) (found []Finding) {
	for _, p := range answers {
		verdict := "rejected"
		if p.Allowed {
			verdict = "allowed"
		}
		found = append(found, Finding{Level: Fine, What: "permission",
			Text: fmt.Sprintf("%q is always %s, since %s; %s", p.Title, verdict, p.Since.Format(time.DateTime),
				revoke(p.Key))})
	}
	return found
}

// KeyFindings looks up the key of each provider. It does not send the key anywhere, so it can't
// tell whether the provider accepts it.
func (m *Models) KeyFindings(ctx context.Context) (found []Finding) {
	providers := m.settings().Providers
	for _, name := range slices.Sorted(maps.Keys(providers)) {
		p := providers[name]
		if p.Type == "" {
			continue // what is wrong with the settings says so
		}
		source := p.KeySource()
		f := Finding{Level: Fine, What: "provider", Text: fmt.Sprintf("%s (%s) has a key, from %s", name, p.Type, source)}
		if _, err := m.Key(ctx, p); err != nil {
			f.Level, f.Text, f.Command = Suspect, fmt.Sprintf("%s (%s) can't be used: %v", name, p.Type, err), fixKey(p)
		} else if source == "" {
			f.Text = fmt.Sprintf("%s (%s) gets no key, since none is configured", name, p.Type)
		}
		found = append(found, f)
	}
	return found
}

// ModelFindings asks a model for one word with try. level is that of the finding if it does not
// answer, and what the thing that the model is for.
func (m *Models) ModelFindings(ctx context.Context, level Level, what, name string,
	try func(context.Context, llm.Model) (session.Trial, error)) []Finding {
	model, err := m.Find(ctx, name)
	if err != nil {
		return []Finding{{level, what, err.Error(), m.FixCommand(name, err, setupCommand)}}
	}
	if _, remote := model.Provider.(llm.Remote); !remote {
		return []Finding{{Fine, what, "the embedded model, which needs no network and no key; setup finds others", setupCommand}}
	}
	answer, err := try(ctx, model)
	if err != nil {
		return []Finding{{level, what, fmt.Sprintf("%s does not answer: %v", name, err), m.FixCommand(name, err, setupCommand)}}
	}
	found := []Finding{{Level: Fine, What: what,
		Text: fmt.Sprintf("%s answered %q in %.1f s (%d tokens in, %d out)", name, answer.Text, answer.Latency.Seconds(), answer.Usage.In, answer.Usage.Out)}}
	if model.ContextTokens == 0 {
		provider, id, _ := llm.SplitModel(name)
		found = append(found,
			Finding{Suspect, what,
				fmt.Sprintf("its context window is unknown: set providers.%s.models.%q.contextTokens", provider, id), m.editFile()})
	}
	return found
}
