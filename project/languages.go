package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/peer"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/compiler"
	"ploke-lsp/project/compiler/scipindex"
	"ploke-lsp/project/peers"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// serverPatience is how long a tool waits for a language server. One that takes longer to start goes on with that.
const serverPatience = 15 * time.Second

// languageServers are the language servers of a project, and the files that compilers have written.
type languageServers struct {
	*compiler.Servers
	bridge *compiler.Bridge // to those of the editor; nil if it does not ask them
	files  *scipindex.Files
}

// Close ends the servers, and what is being read.
func (s *languageServers) Close() {
	s.Servers.Close()
	s.files.Close()
}

// newLanguageServers returns the language servers of the settings, of which none runs.
func newLanguageServers(o Options, p *Project) *languageServers {
	servers := compiler.NewServers(compiler.Options{Workspace: p.Workspace, Version: o.Version, Log: o.Logger,
		Commands: func() map[string]compiler.Command { return languageCommands(o.Settings.Now()) },
		Disk:     p.Indexer.Reported,
		Share:    sharing(o, p.peers),
		Notice:   func(text string) { p.bus.Publish(bus.Notice{Text: text}) }})
	return &languageServers{Servers: servers, files: newIndexFiles(o.Settings.Now, p.Workspace, o.Logger)}
}

// askCompiler is the command of a [Question] that a process asks the one that runs a language server.
const askCompiler = "compiler"

// sharing is how the processes that have a folder open share its language servers; nil if no others are met.
func sharing(o Options, others *peers.Group) *compiler.Sharing {
	if o.Alone {
		return nil
	}
	return &compiler.Sharing{
		Folder: func(root string) string { return store.Folder(o.StateDir, root) },
		Reached: func(root string) bool {
			_, failed := others.Met(root)
			return failed == nil
		},
		Ask: func(ctx context.Context, root string, arguments []byte) ([]byte, error) {
			question, err := json.Marshal(Question{askCompiler, arguments})
			if err != nil {
				return nil, err
			}
			return peer.Ask(ctx, peer.Dirs(o.StateDir, root), o.Version, question)
		},
	}
}

// newIndexFiles returns the files of the settings, of which none is read.
func newIndexFiles(settings func() config.Settings, ws *workspace.Workspace, log *slog.Logger) *scipindex.Files {
	return scipindex.New(scipindex.Options{Workspace: ws, Log: log, Paths: func() []string { return settings().SCIP }})
}

func languageCommands(settings config.Settings) map[string]compiler.Command {
	commands := map[string]compiler.Command{}
	for language, l := range settings.Languages {
		commands[language] = compiler.Command{Command: l.Server, Bytes: int64(l.Megabytes) << 20}
	}
	return commands
}

// compilers are those that know what the code means. The editor's own servers are asked first, since they run anyway
// and have the unsaved text; then the servers of the settings; then the files that compilers have written.
type compilers struct {
	bridge *compiler.Bridge // nil if the editor does not ask its servers
	own    *languageServers
}

func newCompilers(f FrontEnd, own *languageServers, ws *workspace.Workspace, b *bus.Bus, log *slog.Logger) *compilers {
	c := &compilers{own: own}
	source, ok := f.(ServerSource)
	if !ok {
		return c
	}
	if editor := source.EditorServers(); editor != nil {
		c.bridge = compiler.NewBridge(compiler.BridgeOptions{Editor: editor, Workspace: ws, Log: log,
			Notice: func(text string) { b.Publish(bus.Notice{Text: text}) }})
		own.bridge = c.bridge
	}
	return c
}

var _ tools.Compiler = (*compilers)(nil)

// Uses implements [tools.Compiler].
func (c *compilers) Uses(ctx context.Context, name tools.CompiledPlace,
	byName tools.PlacesByName) (*tools.Compiled, error) {
	return c.ask(ctx, name, byName, compiler.Source.References)
}

// Implementers implements [tools.Compiler].
func (c *compilers) Implementers(ctx context.Context, name tools.CompiledPlace) (*tools.Compiled, error) {
	return c.ask(ctx, name, nil, compiler.Source.Implementations)
}

// Rename implements [tools.Compiler].
func (c *compilers) Rename(ctx context.Context, name tools.CompiledPlace, byName tools.PlacesByName,
	to string) (*tools.Compiled, error) {
	rename := func(s compiler.Source, ctx context.Context, q compiler.Question) (*compiler.Answer, error) {
		return s.Rename(ctx, q, to)
	}
	return c.ask(ctx, name, byName, rename)
}

// ask asks one after the other until one has a complete answer. If none has, it returns what the last one says that
// knows the file.
func (c *compilers) ask(ctx context.Context, name tools.CompiledPlace, byName tools.PlacesByName,
	ask func(compiler.Source, context.Context, compiler.Question) (*compiler.Answer, error)) (found *tools.Compiled,
	err error) {
	of := func(s compiler.Source) (*tools.Compiled, error) {
		return answer(ctx, name, func(ctx context.Context, q compiler.Question) (*compiler.Answer, error) {
			if byName != nil {
				q.ByName = func(ctx context.Context) (places []compiler.Place) {
					for _, p := range byName(ctx) {
						places = append(places, compiler.Place(p))
					}
					return places
				}
			}
			return compiler.Settled(ctx, s, q, func(ctx context.Context, q compiler.Question) (*compiler.Answer, error) {
				return ask(s, ctx, q)
			})
		})
	}
	sources := []compiler.Source{c.own.Servers, c.own.files}
	if c.bridge != nil {
		sources = slices.Insert(sources, 0, compiler.Source(c.bridge))
	}
	for _, source := range sources {
		answer, answerErr := of(source)
		if answerErr == nil && answer == nil {
			continue
		}
		found, err = answer, answerErr
		if err == nil && (found.Complete || found.Changed) || ctx.Err() != nil {
			break
		}
	}
	return found, err
}

// answer asks a language server for a tool, which waits for serverPatience at most.
func answer(ctx context.Context, name tools.CompiledPlace,
	ask func(context.Context, compiler.Question) (*compiler.Answer, error)) (*tools.Compiled, error) {
	limited, cancel := context.WithTimeout(ctx, serverPatience)
	defer cancel()
	answer, err := ask(limited, compiler.Question{Path: name.Path, Offset: name.Start, Hash: name.Hash})
	switch {
	case errors.Is(err, compiler.ErrNone):
		return nil, nil
	case errors.Is(err, compiler.ErrChanged):
		return &tools.Compiled{Changed: true}, nil
	case errors.Is(err, compiler.ErrRefused):
		return &tools.Compiled{Refused: err.Error()}, nil
	}
	if limited.Err() != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("the language server has not answered within %v", serverPatience)
	}
	if err != nil {
		return nil, err
	}
	found := &tools.Compiled{By: answer.Source, Complete: answer.Readiness == compiler.Complete}
	if answer.Knows != nil {
		found.Knows = func(p tools.CompiledPlace) bool { return answer.Knows(compiler.Place(p)) }
	}
	for _, place := range answer.Places {
		found.Places = append(found.Places, tools.CompiledPlace(place))
	}
	return found, nil
}

// diagnosing finds the diagnostics of a file, or of all if path is "".
type diagnosing = func(ctx context.Context, path string) (tools.Diagnostics, error)

// withProblems adds to the editor's diagnostics of a file those of the language server that the settings name for it.
func (s *languageServers) withProblems(ws *workspace.Workspace, editor diagnosing) diagnosing {
	return func(ctx context.Context, path string) (tools.Diagnostics, error) {
		found, err := editor(ctx, path)
		if err == nil && path != "" {
			err = s.addProblems(ctx, ws, path, &found)
		}
		return found, err
	}
}

// addProblems adds what a language server says of a file. If that has not told all of its present text, it notes why:
// nothing is not "clean".
func (s *languageServers) addProblems(ctx context.Context, ws *workspace.Workspace, path string,
	found *tools.Diagnostics) error {
	file, err := ws.Read(ctx, path)
	if err != nil {
		return nil // the caller says what is wrong with it
	}
	limited, cancel := context.WithTimeout(ctx, serverPatience)
	defer cancel()
	report, err := s.Problems(limited, path)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, compiler.ErrNone):
		return nil
	case err != nil:
		found.Why = err.Error()
		return nil
	case report.Unread() != "":
		found.Why = report.Unread()
		return nil
	}
	if now, err := ws.Read(ctx, path); err != nil || now.Hash != file.Hash {
		found.Why = compiler.ErrChanged.Error()
		return nil
	}
	found.By, found.Partial = report.Source, false
	found.List = slices.DeleteFunc(slices.Clone(found.List), func(d tools.Diagnostic) bool {
		return d.Path == path && slices.ContainsFunc(report.Problems, func(q compiler.Problem) bool {
			return q.Line == d.StartLine && q.Message == d.Message
		})
	})
	for _, q := range report.Problems {
		found.List = append(found.List, tools.Diagnostic{Path: path, Hash: workspace.Hash(file.Text), StartLine: q.Line,
			EndLine: q.EndLine, StartByte: q.Start, EndByte: q.End, Severity: tools.Severity(q.Severity), Source: q.Source,
			Code: q.Code, Message: q.Message, SeenAt: time.Now()})
	}
	return nil
}

// lines says how the language servers are that were needed, those of the editor included, in a line each.
func (s *languageServers) lines(ctx context.Context) (lines []string) {
	for _, state := range s.States(ctx) {
		lines = append(lines, state.String())
	}
	if s.bridge != nil {
		lines = append(lines, s.bridge.States()...)
	}
	return lines
}

// findings says how the language servers are that were needed, and what the files of compilers have.
func (s *languageServers) findings(ctx context.Context) (found []Finding) {
	for _, state := range s.States(ctx) {
		f := Finding{Level: Fine, What: "languages", Text: state.String()}
		if state.Problem != "" {
			f.Level = Suspect
		}
		found = append(found, f)
	}
	if s.bridge != nil {
		for _, line := range s.bridge.States() {
			found = append(found, Finding{Level: Fine, What: "languages", Text: line})
		}
	}
	return append(found, indexFileFindings(ctx, s.files)...)
}

// IndexFileFindings says what the files of compilers have that the settings name. It reads them.
func IndexFileFindings(ctx context.Context, settings config.Settings, root string) []Finding {
	if len(settings.SCIP) == 0 {
		return nil
	}
	ws, err := workspace.New([]string{root}, workspaceOptions(settings))
	if err != nil {
		return []Finding{{Level: Suspect, What: "scip", Text: err.Error()}}
	}
	files := newIndexFiles(func() config.Settings { return settings }, ws, nil)
	defer files.Close()
	return indexFileFindings(ctx, files)
}

func indexFileFindings(ctx context.Context, files *scipindex.Files) (found []Finding) {
	for _, state := range files.States(ctx) {
		f := Finding{Level: Fine, What: "scip", Text: state.String()}
		if state.Problem != "" || state.Unchanged == 0 {
			f.Level = Suspect
		}
		found = append(found, f)
	}
	return found
}

// knownServers are the usual language servers by language.
var knownServers = map[string][]string{
	"c":          {"clangd"},
	"cpp":        {"clangd"},
	"go":         {"gopls"},
	"python":     {"pyright-langserver", "--stdio"},
	"rust":       {"rust-analyzer"},
	"typescript": {"typescript-language-server", "--stdio"},
}

// serverFinding says whether the server that the settings name for a language is there.
func serverFinding(language string, server []string) Finding {
	if _, err := exec.LookPath(server[0]); err != nil {
		return Finding{Level: Suspect, What: "languages",
			Text: fmt.Sprintf("%s code is searched by name, since its server can't be started: %v", language, err)}
	}
	return Finding{Level: Fine, What: "languages",
		Text: fmt.Sprintf("%s is asked about %s code, and is started when it is needed", server[0], language)}
}

// LanguageFindings says which language servers the settings name and can't be found, and which are there and could be
// asked. It starts none.
func LanguageFindings(settings config.Settings) (found []Finding) {
	for _, language := range slices.Sorted(maps.Keys(settings.Languages)) {
		if server := settings.Languages[language].Server; len(server) > 0 {
			found = append(found, serverFinding(language, server))
		}
	}
	for _, language := range slices.Sorted(maps.Keys(knownServers)) {
		server := knownServers[language]
		if _, err := exec.LookPath(server[0]); err != nil || len(settings.Languages[language].Server) > 0 {
			continue
		}
		found = append(found, Finding{Level: Fine, What: "languages",
			Text: fmt.Sprintf("%s is on this machine: languages.%s.server = [\"%s\"] in your settings has it asked for callers "+
				"and references", server[0], language, strings.Join(server, `", "`))})
	}
	return found
}
