package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ploke-lsp/internal/setup"
	"ploke-lsp/project"
)

// maxListed is how many models of a provider elsewhere the guide lists.
const maxListed = 40

// A modelChoice is an entry of the guide's list of models.
type modelChoice struct {
	shown  string
	choose func(context.Context) (typedModel, error)
}

// A typedModel is a model that the person has chosen, with the key that the person has typed; "" if it has another
// source or is not needed.
type typedModel struct {
	setup.Model
	key string
}

// choices returns what the guide offers: models of this machine, providers whose key is in the environment, and those
// whose key is typed.
func (g *guide) choices(ctx context.Context) (list []modelChoice) {
	local := project.FindLocal(ctx, project.LocalServers(g.env.getenv))
	if len(local) == 0 {
		g.say("No model was found on this machine (Ollama, LM Studio, llama.cpp).\n" +
			"The embedded model answers from the index, without a network.\n")
	}
	for _, m := range local {
		list = append(list, modelChoice{m.ID + ", on this machine", func(context.Context) (typedModel, error) {
			model, err := g.common.modelNamed(g.env, m.ID)
			return typedModel{Model: model}, err
		}})
	}
	var typed []modelChoice
	for _, p := range hostedProviders {
		model := setup.Model{Provider: p.name, Type: p.name, APIKeyEnv: p.keyVariable}
		if g.env.getenv(p.keyVariable) != "" {
			shown := fmt.Sprintf("a model of %s, with the key in %s: code that a question is about leaves this machine",
				p.title, p.keyVariable)
			list = append(list, modelChoice{shown, func(ctx context.Context) (typedModel, error) {
				return g.chooseHosted(ctx, p.title, typedModel{Model: model})
			}})
			continue
		}
		model.APIKeyEnv = ""
		typed = append(typed, modelChoice{fmt.Sprintf("a model of %s, with a key that you type", p.title),
			func(ctx context.Context) (typedModel, error) {
				key, err := g.askKey(ctx, "Its key (it is not shown):")
				if err != nil {
					return typedModel{}, err
				}
				return g.chooseHosted(ctx, p.title, typedModel{model, key})
			}})
	}
	other := modelChoice{"another server that speaks as OpenAI's: you type its address", g.chooseServer}
	return append(append(list, typed...), other)
}

// setUpModel lets the person choose a model until one answers, or the person keeps what there is.
func (g *guide) setUpModel(ctx context.Context) error {
	list := g.choices(ctx)
	g.say("Models:\n")
	for i, c := range list {
		g.say("  %d  %s\n", i+1, c.shown)
	}
	for {
		answer, err := g.ask(ctx, "Which one? A number, or nothing to keep what is set:")
		if err != nil || answer == "" {
			return err
		}
		n, err := strconv.Atoi(answer)
		if err != nil || n < 1 || n > len(list) {
			g.say("  %q is not a number in the list.\n", answer)
			continue
		}
		model, err := list[n-1].choose(ctx)
		if err != nil {
			return err
		}
		if model.ID == "" {
			continue
		}
		if done, err := g.useModel(ctx, model); done || err != nil {
			return err
		}
	}
}

// chooseHosted asks for a model of a provider elsewhere, which it lists with the person's key.
func (g *guide) chooseHosted(ctx context.Context, title string, m typedModel) (typedModel, error) {
	env, model := m.trial(g.env)
	list := modelsOf(env, model).List(ctx)
	for _, problem := range list.Problems {
		g.say("  %s does not list its models: %v\n", title, problem.Err)
	}
	for i, listed := range list.Models[1:] { // the first is the embedded one
		if i == maxListed {
			g.say("  … and %d more\n", len(list.Models)-1-maxListed)
			break
		}
		g.say("  %s\n", strings.TrimPrefix(listed.ID, m.Provider+"/"))
	}
	id, err := g.ask(ctx, "Its name:")
	m.ID = id
	return m, err
}

// useModel tries a model and writes it into the settings if the person agrees. It returns false if the model can't be
// used.
func (g *guide) useModel(ctx context.Context, m typedModel) (done bool, err error) {
	g.say("Asking %s/%s for one word …\n", m.Provider, m.ID)
	env, model := m.trial(g.env)
	err = tryModel(ctx, env, g.env.stdout, model)
	store := func() error { return nil }
	if err == nil && m.key != "" {
		store, err = g.common.keySource(ctx, g.env, &m)
	}
	var plan setup.Plan
	if err == nil {
		plan, err = g.common.planModel(g.env, m.Model)
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		g.say("  %v\n", err)
		return false, nil
	}
	if plan.Changes() {
		putDiff(g.env.stdout, plan.Diff())
		if yes, err := g.agree(ctx, "Make this change?"); err != nil || !yes {
			return true, err
		}
	}
	if err := store(); err != nil {
		return true, fmt.Errorf("the key could not be stored, and nothing was written: %w", err)
	}
	return true, g.common.applyModel(g.env, plan)
}

// reportLimits says in which languages alone a client has ploke-lsp, where a person could wonder.
func reportLimits(w io.Writer, c *setup.Client, languages []string) {
	if limits := c.Limits(languages); limits != "" {
		fmt.Fprintln(w, limits)
	}
}

// reportChange says what was done to a file: done, or if nothing had to be done, idle.
func reportChange(env environment, path string, change setup.Change, done, idle string) {
	switch {
	case change.Removed:
		fmt.Fprintf(env.stdout, "%s held nothing else, and is removed\n", path)
	case change.Done:
		fmt.Fprintf(env.stdout, "%s %s\n", path, done)
	default:
		fmt.Fprintf(env.stdout, "%s %s\n", path, idle)
	}
	if change.Copy != "" {
		fmt.Fprintf(env.stdout, "%s is how it was before\n", change.Copy)
	}
	for _, line := range change.ByHand {
		fmt.Fprintf(env.stdout, "by hand: %s\n", line)
	}
}
