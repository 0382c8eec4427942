package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/setup"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/project"

	ploke "ploke-lsp/lsp/protocol"
)

// values are what a shell offers for an argument or the value of a flag: words, or what "ploke-lsp completion" prints
// for the name of a list.
type values struct {
	words []string
	list  string
}

// symbolKinds are the kinds that --kind tells apart.
var symbolKinds = []string{string(syntax.KindFunction), string(syntax.KindMethod), string(syntax.KindConstructor),
	string(syntax.KindType), string(syntax.KindStruct), string(syntax.KindClass), string(syntax.KindInterface),
	string(syntax.KindTrait), string(syntax.KindEnum), string(syntax.KindImpl), string(syntax.KindField),
	string(syntax.KindProperty), string(syntax.KindConstant), string(syntax.KindVariable), string(syntax.KindMacro),
	string(syntax.KindModule), string(syntax.KindNamespace), string(syntax.KindTest), string(syntax.KindSection)}

// flagValues are the values of flags, which mean the same in each command.
var flagValues = map[string]values{
	"direction": {words: directions}, "kind": {words: symbolKinds}, "color": {words: colorModes},
	"log-level": {words: logLevels}, "model": {list: "models"},
}

// A secondArgument is what follows some first arguments of a command.
type secondArgument struct {
	after []string
	values
}

var secondArguments = map[string]secondArgument{
	"proposals": {[]string{"show", "accept", "reject", "undo", "redo"}, values{list: "proposals"}},
	"setup":     {[]string{"model"}, values{list: "models"}},
}

// printList prints the values of a list.
func (c *common) printList(ctx context.Context, env environment, list string) error {
	if list == "proposals" {
		return c.printProposals(ctx, env)
	}
	return c.printModels(ctx, env)
}

// localTimeout is how long the servers of this machine have to tell their models.
const localTimeout = 500 * time.Millisecond

// printModels prints the models that the settings name, and those on this machine. No other machine is asked.
func (c *common) printModels(ctx context.Context, env environment) error {
	layers, err := c.settings(env)
	if err != nil {
		return err
	}
	settings, _ := config.Merge(layers...)
	known := namedModels(settings)
	ctx, cancel := context.WithTimeout(ctx, localTimeout)
	defer cancel()
	for _, m := range project.FindLocal(ctx, project.LocalServers(env.getenv)) {
		known[m.ID] = true
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		fmt.Fprintln(env.stdout, name)
	}
	return nil
}

// namedModels returns the models that settings name, and the one that needs none.
func namedModels(settings config.Settings) map[string]bool {
	known := map[string]bool{"embedded": true, settings.Model: true, settings.Fallback: true}
	delete(known, "")
	for provider, p := range settings.Providers {
		for model := range p.Models {
			known[provider+"/"+model] = true
		}
	}
	return known
}

// printProposals prints the ids of the current folder's proposals, the newest first.
func (c *common) printProposals(ctx context.Context, env environment) error {
	options, err := c.readableOptions(env)
	if err != nil {
		return err
	}
	options.KeepVectors = true
	client, err := connect(ctx, options, ".", handlers{indexing: &progressLine{}})
	if err != nil {
		return err
	}
	defer client.close()
	var all ploke.ProposalListResult
	if err := client.call(ctx, ploke.MethodProposalList, ploke.ProposalListParams{}, &all); err != nil {
		return err
	}
	for _, p := range all.Proposals {
		fmt.Fprintln(env.stdout, p.ID)
	}
	return nil
}

// clientWords are the names of clients and agents, and of what else setup sets up.
func clientWords() []string {
	return append([]string{"model"}, setup.Names()...)
}
