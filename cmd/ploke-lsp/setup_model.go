package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/setup"
	"ploke-lsp/internal/shell"
	"ploke-lsp/project"
	"ploke-lsp/session"
)

// A hostedProvider serves models elsewhere, for a key that is usually in an environment variable.
type hostedProvider struct {
	name, title string // the name is also the type
	keyVariable string
}

var hostedProviders = []hostedProvider{
	{"anthropic", "Anthropic", "ANTHROPIC_API_KEY"},
	{"openai", "OpenAI", "OPENAI_API_KEY"},
	{"openrouter", "OpenRouter", "OPENROUTER_API_KEY"},
}

// foundKeys returns the providers whose key is in the environment. The keys are not used.
func foundKeys(env environment) (found []hostedProvider) {
	for _, p := range hostedProviders {
		if env.getenv(p.keyVariable) != "" {
			found = append(found, p)
		}
	}
	return found
}

// listModels prints the models on this machine and the keys in the environment, and what to run.
func (c *common) listModels(ctx context.Context, env environment) {
	models, keys := project.FindLocal(ctx, project.LocalServers(env.getenv)), foundKeys(env)
	fmt.Fprintf(env.stdout, "models on this machine:%s\n", orNone(len(models)))
	for _, m := range models {
		fmt.Fprintf(env.stdout, "%s\n  run: ploke-lsp setup model %s --write\n", m.ID, shell.Quote(m.ID))
	}
	if len(keys) > 0 {
		fmt.Fprint(env.stdout, "\nkeys in the environment, which are only used if you choose so:\n")
	}
	for _, k := range keys {
		fmt.Fprintf(env.stdout, "%s, for %s\n  run: ploke-lsp setup model %s/MODEL --write\n", k.keyVariable, k.title, k.name)
	}
}

// setupModel handles the arguments behind "setup model": none lists models, a name shows the change of the
// settings, and --write makes it once the model has answered.
func (c *common) setupModel(ctx context.Context, env environment, f *setupFlags, args []string) error {
	switch {
	case f.undo || f.languages != "" || f.file != "":
		return wrongUsage("--undo, --languages and --file are for clients, not for a model")
	case len(args) == 0 && f.write:
		return wrongUsage("--write needs the name of a model")
	case len(args) > 1:
		return wrongUsage("there is more than one model: %s", strings.Join(args, ", "))
	}
	name := strings.Join(args, "")
	if name == "" {
		c.listModels(ctx, env)
		return nil
	}
	model, err := c.modelNamed(env, name)
	if err != nil {
		return err
	}
	plan, err := c.planModel(env, model)
	if err != nil {
		return err
	}
	if !f.write {
		putDiff(env.stdout, plan.Diff())
		return nil
	}
	if err := tryModel(ctx, env, env.stdout, model); err != nil {
		return err
	}
	return c.applyModel(env, plan)
}

// modelNamed returns the model of a name, PROVIDER/MODEL, whose provider is in the settings, on this
// machine, or a known one elsewhere.
func (c *common) modelNamed(env environment, name string) (setup.Model, error) {
	provider, id, _ := strings.Cut(name, "/")
	if id == "" {
		return setup.Model{}, fmt.Errorf("%q is not PROVIDER/MODEL", name)
	}
	layers, err := c.settings(env)
	if err != nil {
		layers = nil // the file that --config names is made
	}
	settings, _ := config.Merge(layers...)
	if p, ok := settings.Providers[provider]; ok {
		return setup.Model{Provider: provider, Type: p.Type, BaseURL: p.BaseURL, ID: id,
			APIKeyEnv: p.APIKeyEnv, APIKeyCommand: p.APIKeyCommand, APIKeyKeyring: p.APIKeyKeyring}, nil
	}
	var known []string
	for _, s := range project.LocalServers(env.getenv) {
		if s.Name == provider {
			return setup.Model{Provider: provider, Type: s.Provider.Type, BaseURL: s.Provider.BaseURL, ID: id}, nil
		}
		known = append(known, s.Name)
	}
	for _, h := range hostedProviders {
		if h.name == provider {
			return setup.Model{Provider: provider, Type: h.name, APIKeyEnv: h.keyVariable, ID: id}, nil
		}
		known = append(known, h.name)
	}
	return setup.Model{}, fmt.Errorf("there is no provider %q, known are: %s", provider, strings.Join(known, ", "))
}

// planModel returns the change of the user's settings that names a model.
func (c *common) planModel(env environment, m setup.Model) (setup.Plan, error) {
	path, err := c.configFile(env)
	if err != nil {
		return setup.Plan{}, err
	}
	place, err := locationOf(env, path)
	if err != nil {
		return setup.Plan{}, err
	}
	return place.PlanModel(m)
}

// applyModel changes the user's settings.
func (c *common) applyModel(env environment, plan setup.Plan) error {
	change, err := plan.Apply(time.Now())
	if err != nil {
		return err
	}
	path, err := c.configFile(env)
	if err != nil {
		return err
	}
	reportChange(env, path, change, "names the model", "names the model already")
	if env.getenv("PLOKE_BASE_URL") != "" || env.getenv("PLOKE_MODEL") != "" {
		fmt.Fprint(env.stdout, "PLOKE_BASE_URL or PLOKE_MODEL is set in the environment, and counts more than the file\n")
	}
	return nil
}

// modelsOf returns the models of the provider of m alone.
func modelsOf(env environment, m setup.Model) *project.Models {
	providers := map[string]any{m.Provider: m.ProviderSettings()}
	settings := project.NewSettings(config.Layer{Values: map[string]any{"providers": providers}})
	return project.NewModels(project.Options{Settings: settings, Getenv: env.getenv})
}

// tryModel makes a tiny request to a model, and says how long it took.
func tryModel(ctx context.Context, env environment, w io.Writer, m setup.Model) error {
	for _, f := range modelsOf(env, m).ModelFindings(ctx, project.Essential, "model", m.Provider+"/"+m.ID,
		session.TryModel) {
		if f.Level == project.Essential {
			return fmt.Errorf("nothing was written: %s; run: %s", f.Text, f.Command)
		}
		fmt.Fprintln(w, f.Text)
	}
	return nil
}
