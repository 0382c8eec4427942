package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/compiler"
	"ploke-lsp/tools"
)

// compiledCode is a project with the tools that ask a language server, and those that don't.
type compiledCode struct {
	name, dir, language string
	list                io.Writer // of mistakes
	db                  *store.DB
	deps                tools.Deps
	servers             *compiler.Servers
	byName, compiled    *tools.Set

	answering            time.Duration   // of the server in the present call
	overhead, whole, own []time.Duration // of the calls
}

func openCompiled(ctx context.Context, dir, state, language string, server []string) (p *compiledCode, err error) {
	ws, err := workspace.New([]string{dir}, workspace.Options{})
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	p = &compiledCode{dir: dir, language: language}
	if p.db, err = store.Open(ctx, filepath.Join(state, "state.db")); err != nil {
		return nil, err
	}
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		return nil, errors.Join(err, p.db.Close())
	}
	commands := map[string]compiler.Command{}
	for _, name := range servedLanguages[language].files {
		commands[name] = compiler.Command{Command: server}
	}
	p.servers = compiler.NewServers(compiler.Options{Workspace: ws, Version: "bench", CallTime: time.Minute,
		Disk:     func() (uint64, bool) { return 0, true }, // as where the editor reports what changes
		Commands: func() map[string]compiler.Command { return commands }, Notice: func(string) {}})
	p.deps = tools.Deps{Workspace: ws, Index: x, Edits: edits.New(p.db, ws, edits.Options{})}
	p.byName = tools.New(p.deps)
	p.deps.Compiler = p
	p.compiled = tools.New(p.deps)
	_, err = x.Update(ctx, nil)
	return p, err
}

func (p *compiledCode) close() {
	p.servers.Close()
	p.deps.Index.Close()
	p.db.Close()
}

// Uses implements [tools.Compiler].
func (p *compiledCode) Uses(ctx context.Context, name tools.CompiledPlace, _ tools.PlacesByName) (*tools.Compiled,
	error) {
	return p.ask(ctx, name, p.servers.References)
}

// Implementers implements [tools.Compiler].
func (p *compiledCode) Implementers(ctx context.Context, name tools.CompiledPlace) (*tools.Compiled, error) {
	return p.ask(ctx, name, p.servers.Implementations)
}

// Rename implements [tools.Compiler].
func (p *compiledCode) Rename(ctx context.Context, name tools.CompiledPlace, _ tools.PlacesByName,
	to string) (*tools.Compiled, error) {
	return p.ask(ctx, name, func(ctx context.Context, q compiler.Question) (*compiler.Answer, error) {
		return p.servers.Rename(ctx, q, to)
	})
}

// ask asks the server. One that never says that it has read the project has had the time for that.
func (p *compiledCode) ask(ctx context.Context, name tools.CompiledPlace,
	ask func(context.Context, compiler.Question) (*compiler.Answer, error)) (*tools.Compiled, error) {
	answer, err := ask(ctx, compiler.Question{Path: name.Path, Offset: name.Start, Hash: name.Hash})
	switch {
	case errors.Is(err, compiler.ErrRefused):
		return &tools.Compiled{Refused: err.Error()}, nil
	case err != nil:
		return nil, err
	}
	p.answering += answer.Answering
	found := &tools.Compiled{By: answer.Source, Complete: answer.Readiness != compiler.Loading}
	for _, place := range answer.Places {
		found.Places = append(found.Places, tools.CompiledPlace(place))
	}
	return found, nil
}

// ready asks until the server has read the project, and once more.
func (p *compiledCode) ready(ctx context.Context) error {
	for _, u := range p.draw("ready", 20, map[syntax.Kind]bool{syntax.KindFunction: true, syntax.KindClass: true}) {
		file, err := p.deps.Workspace.Read(ctx, u.Path)
		if err != nil {
			return err
		}
		q := compiler.Question{Path: u.Path, Offset: u.NameStart, Hash: file.Hash}
		for began := time.Now(); time.Since(began) < answerWait; {
			answer, err := p.servers.References(ctx, q)
			if errors.Is(err, compiler.ErrRefused) {
				break
			}
			if err != nil {
				return err
			}
			if answer.Readiness != compiler.Loading {
				return nil
			}
		}
	}
	return errors.New("the server has no answer")
}

// answerWait bounds the time in which a server reads a project.
const answerWait = 5 * time.Minute

// draw chooses symbols at random, the same in each run. what sets the choices of several uses apart.
func (p *compiledCode) draw(what string, count int, kinds map[syntax.Kind]bool) (chosen []index.Unit) {
	var all []index.Unit
	_ = p.deps.Workspace.Walk(context.Background(), p.dir, func(e workspace.Entry) error {
		if e.Dir || e.Skip != "" || !slices.Contains(servedLanguages[p.language].files, syntax.Detect(e.Path, nil)) {
			return nil
		}
		units, err := p.deps.Index.Outline(context.Background(), e.Path)
		for _, u := range units {
			if err == nil && kinds[u.Kind] && u.NameStart < u.NameEnd && !strings.HasPrefix(strings.ToLower(u.Name), "test") {
				all = append(all, u)
			}
		}
		return nil
	})
	slices.SortFunc(all, func(a, b index.Unit) int {
		return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.NameStart, b.NameStart))
	})
	seed := fnv.New64a()
	seed.Write([]byte(filepath.Base(p.dir) + p.language + what))
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(count, len(all))]
}

// turn is the environment of a call in a turn of its own.
type turn struct {
	tools.Env
	id string
}

func (t turn) Call() tools.Call {
	return tools.Call{ID: t.id, CallID: t.id, RequestID: t.id, ParentID: t.id, ConversationID: t.id}
}
func (turn) LastUserMessage() string { return "" }
func (turn) Output(string)           {}
func (turn) Visible()                {}
func (turn) ResultBytes() int        { return 0 }

// call calls a tool, and reads its result.
func (p *compiledCode) call(ctx context.Context, set *tools.Set, id, tool string, args, result any) error {
	data, err := json.Marshal(args)
	if err != nil {
		return err
	}
	t, _ := set.Get(tool)
	answer, err := t.Run(ctx, turn{id: id}, data)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer.Content, result)
}
