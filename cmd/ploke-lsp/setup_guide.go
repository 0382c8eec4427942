package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"ploke-lsp/internal/setup"
	"ploke-lsp/project"
)

// maxListed is how many models of a provider elsewhere the guide lists.
const maxListed = 40

// A guide leads a person through the setup: first the editors that are here, then a model. It changes a
// file only after it has shown the change and the person has agreed.
type guide struct {
	common *common
	env    environment
	lines  chan string // what the person types; closed at the end of the input
}

func newGuide(c *common, env environment) *guide {
	g := &guide{c, env, make(chan string)}
	go g.read() // ends with the input, or with the process
	return g
}

func (g *guide) read() {
	defer close(g.lines)
	input := bufio.NewScanner(g.env.stdin)
	for input.Scan() {
		g.lines <- input.Text()
	}
}

func (g *guide) say(format string, args ...any) { fmt.Fprintf(g.env.stdout, format, args...) }

// ask returns what the person types. The error is [io.EOF] if nothing more comes.
func (g *guide) ask(ctx context.Context, question string) (string, error) {
	g.say("%s ", question)
	select {
	case line, ok := <-g.lines:
		if !ok {
			g.say("\n")
			return "", io.EOF
		}
		return strings.TrimSpace(line), nil
	case <-ctx.Done():
		g.say("\n")
		return "", ctx.Err()
	}
}

// agree asks a question whose answer is no, unless the person types yes.
func (g *guide) agree(ctx context.Context, question string) (bool, error) {
	answer, err := g.ask(ctx, question+" [y/N]")
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}

func (g *guide) run(ctx context.Context) error {
	err := g.setUpEditors(ctx)
	if err == nil {
		err = g.setUpModel(ctx)
	}
	if errors.Is(err, io.EOF) {
		err = nil // the person is done
	}
	if err == nil {
		g.say("\nTry it in the folder of a project: ploke-lsp ask \"what is this project\"\nploke-lsp doctor checks everything.\n")
	}
	return err
}

func (g *guide) setUpEditors(ctx context.Context) error {
	found := 0
	for _, c := range setup.Clients() {
		trace := c.Installed(setupEnvironment(g.env))
		if trace == "" {
			continue
		}
		found++
		g.say("%s (%s)\n", c.Title, trace)
		if err := g.setUpEditor(ctx, c); err != nil {
			return err
		}
		g.say("\n")
	}
	if found == 0 {
		g.say("No editor was found. \"ploke-lsp setup CLIENT\" prints the configuration for: %s\n\n", clientNames())
	}
	return nil
}

func clientNames() string {
	var names []string
	for _, c := range setup.Clients() {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// setUpEditor shows the change for an editor and makes it if the person agrees. What can't be done here is
// no error of the setup as a whole.
func (g *guide) setUpEditor(ctx context.Context, c *setup.Client) error {
	file, err := (&setupFlags{}).locate(g.env, c)
	if err == nil && file.State() == setup.ByHand {
		g.say("  Only you can do this. Run: ploke-lsp setup %s\n", c.Name)
		return nil
	}
	var plan setup.Plan
	if err == nil {
		plan, err = file.Plan(nil)
	}
	if err != nil {
		g.say("  It can't be set up here: %v\n  \"ploke-lsp setup %s\" prints the configuration.\n", err, c.Name)
		return nil
	}
	if !plan.Changes() {
		g.say("  %s has the configuration.\n", file.Path)
		return nil
	}
	putDiff(g.env.stdout, plan.Diff())
	yes, err := g.agree(ctx, "Make this change?")
	if err != nil || !yes {
		return err
	}
	change, err := plan.Apply(time.Now())
	if err != nil {
		g.say("  Nothing was written: %v\n", err)
		return nil
	}
	reportChange(g.env, file.Path, change, "has the configuration", "has the configuration already")
	return nil
}

// setUpModel lets the person choose a model until one answers, or the person keeps what there is.
func (g *guide) setUpModel(ctx context.Context) error {
	local, keys := project.FindLocal(ctx, project.LocalServers(g.env.getenv)), foundKeys(g.env)
	if len(local)+len(keys) == 0 {
		g.say("No model was found on this machine (Ollama, LM Studio, llama.cpp), and no key in the environment.\n" +
			"The embedded model answers from the index, without a network. docs/settings.md says how to set another.\n")
		return nil
	}
	g.say("Models:\n")
	for i, m := range local {
		g.say("  %d  %s, on this machine\n", i+1, m.ID)
	}
	for i, k := range keys {
		g.say("  %d  a model of %s, with the key in %s: code that a question is about leaves this machine\n", len(local)+i+1, k.title, k.keyVariable)
	}
	for {
		answer, err := g.ask(ctx, "Which one? A number, or nothing to keep what is set:")
		if err != nil || answer == "" {
			return err
		}
		n, err := strconv.Atoi(answer)
		if err != nil || n < 1 || n > len(local)+len(keys) {
			g.say("  %q is not a number in the list.\n", answer)
			continue
		}
		name := ""
		if n <= len(local) {
			name = local[n-1].ID
		} else if name, err = g.chooseHosted(ctx, keys[n-1-len(local)]); err != nil {
			return err
		}
		if done, err := g.useModel(ctx, name); done || err != nil {
			return err
		}
	}
}

// chooseHosted asks for a model of a provider elsewhere, which it lists with the person's key.
func (g *guide) chooseHosted(ctx context.Context, p hostedProvider) (name string, err error) {
	models := modelsOf(g.env, setup.Model{Provider: p.name, Type: p.name, APIKeyEnv: p.keyVariable})
	list := models.List(ctx)
	for _, problem := range list.Problems {
		g.say("  %s does not list its models: %v\n", p.title, problem.Err)
	}
	for i, m := range list.Models[1:] { // the first is the embedded one
		if i == maxListed {
			g.say("  … and %d more\n", len(list.Models)-1-maxListed)
			break
		}
		g.say("  %s\n", strings.TrimPrefix(m.ID, p.name+"/"))
	}
	id, err := g.ask(ctx, "Its name:")
	return p.name + "/" + id, err
}

// useModel tries a model and writes it into the settings if the person agrees. It returns false if the
// model can't be used.
func (g *guide) useModel(ctx context.Context, name string) (done bool, err error) {
	model, err := g.common.modelNamed(g.env, name)
	if err == nil {
		g.say("Asking %s for one word …\n", name)
		err = tryModel(ctx, g.env, g.env.stdout, model)
	}
	var plan setup.Plan
	if err == nil {
		plan, err = g.common.planModel(g.env, model)
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
	return true, g.common.applyModel(g.env, plan)
}
