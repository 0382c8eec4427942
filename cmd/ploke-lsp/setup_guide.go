package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"ploke-lsp/internal/setup"
)

// A guide leads a person through the setup: first the editors that are here, then a model. It changes a
// file only after it has shown the change and the person has agreed.
type guide struct {
	common *common
	env    environment
	input  *bufio.Reader
}

func newGuide(c *common, env environment) *guide { return &guide{c, env, bufio.NewReader(env.stdin)} }

func (g *guide) say(format string, args ...any) { fmt.Fprintf(g.env.stdout, format, args...) }

// ask returns what the person types. The error is [io.EOF] if nothing more comes.
func (g *guide) ask(ctx context.Context, question string) (string, error) {
	return g.askWith(ctx, question, func() (string, error) { return g.input.ReadString('\n') })
}

// askWith returns what read reads, which ends with the input or with the process.
func (g *guide) askWith(ctx context.Context, question string, read func() (string, error)) (string, error) {
	g.say("%s ", question)
	type answer struct {
		line string
		err  error
	}
	typed := make(chan answer, 1)
	go func() {
		line, err := read()
		typed <- answer{strings.TrimSpace(line), err}
	}()
	select {
	case a := <-typed:
		if a.line != "" && errors.Is(a.err, io.EOF) {
			a.err = nil // the last line has no end
		}
		if a.err != nil {
			g.say("\n")
		}
		return a.line, a.err
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
		g.say("\nTry it in the folder of a project: ploke-lsp ask \"what is this project\"\nploke-lsp doctor checks " +
			"everything.\n")
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
		if c.Name == "neovim" {
			linked, err := g.linkPlugin(ctx)
			if err != nil {
				return err
			}
			if linked {
				continue // it brings its own configuration
			}
		}
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
	reportLimits(g.env.stdout, c, nil)
	return nil
}
