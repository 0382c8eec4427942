package scipindex_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"google.golang.org/protobuf/encoding/protowire"

	"ploke-lsp/internal/scip"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/trial"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/compiler"
	"ploke-lsp/project/compiler/scipindex"
)

// project is a folder in a repository, whose code an indexer has read.
type project struct {
	*scipindex.Files
	t        *testing.T
	ws       *workspace.Workspace
	dir      string
	commit   string
	settings []string
}

// open makes the project of testdata/NAME.txtar. Its only commit is the one that NAME.scip was made at.
func open(t *testing.T, name string) *project {
	t.Helper()
	testbed.Program(t, "git")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, dir: dir}
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		p.write(f.Name, string(f.Data))
	}
	p.git("init", "-q", ".")
	p.git("add", ".")
	p.git("commit", "-qm", "shop")
	p.commit = strings.TrimSpace(p.git("rev-parse", "HEAD"))
	trial.Tick() // what is written from now on is newer
	if p.ws, err = workspace.New([]string{dir}, workspace.Options{}); err != nil {
		t.Fatal(err)
	}
	p.Files = scipindex.New(scipindex.Options{Workspace: p.ws, Paths: func() []string { return p.settings }})
	t.Cleanup(p.Close)
	return p
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = p.dir
	day := "2026-01-01T00:00:00Z"
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE="+day, "GIT_COMMITTER_DATE="+day)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) read(name string) string {
	p.t.Helper()
	file, err := p.ws.Read(context.Background(), p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(file.Text)
}

// index puts a file of testdata into the folder of settings, under a name.
func (p *project) index(data []byte, name string) {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.settings = append(p.settings, path)
}

func testdata(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// madeIn returns an index with another tool and folder.
func madeIn(t *testing.T, index []byte, tool, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := scip.NewWriter(&out, scip.Metadata{Tool: tool, Version: "1", Root: "file://" + filepath.ToSlash(dir)}); err != nil {
		t.Fatal(err)
	}
	reader := scip.NewReader(bytes.NewReader(index))
	for {
		part, err := reader.Next()
		if err == io.EOF {
			return out.Bytes()
		}
		if err != nil {
			t.Fatal(err)
		}
		if part.Kind == scip.DocumentPart {
			out.Write(protowire.AppendBytes(protowire.AppendTag(nil, protowire.Number(part.Kind), protowire.BytesType), part.Data))
		}
	}
}

// question asks about the first place of a file where the text is; an | is the offset in it.
func (p *project) question(name, text string) compiler.Question {
	p.t.Helper()
	before, after, _ := strings.Cut(text, "|")
	all := p.read(name)
	at := strings.Index(all, before+after)
	if at < 0 {
		p.t.Fatalf("%s has no %q", name, before+after)
	}
	return compiler.Question{Path: p.path(name), Offset: at + len(before), Hash: workspace.Hash([]byte(all))}
}

// places returns the places of an answer as NAME:LINE:TEXT, or the error.
func (p *project) places(a *compiler.Answer, err error) string {
	p.t.Helper()
	if err != nil {
		return err.Error()
	}
	if a.Readiness != compiler.Complete || a.Knows == nil {
		p.t.Errorf("the answer is %+v", a)
	}
	var found []string
	for _, place := range a.Places {
		rel, err := filepath.Rel(p.dir, place.Path)
		if err != nil {
			p.t.Fatal(err)
		}
		text := p.read(filepath.ToSlash(rel))
		if workspace.Hash([]byte(text)) != place.Hash || !a.Knows(place) {
			p.t.Errorf("%+v is not known", place)
		}
		found = append(found, fmt.Sprintf("%s:%d:%s", filepath.ToSlash(rel), 1+strings.Count(text[:place.Start], "\n"),
			text[place.Start:place.End]))
	}
	return strings.Join(found, " ")
}

type ask = func(*scipindex.Files, context.Context, compiler.Question) (*compiler.Answer, error)

var (
	references      ask = (*scipindex.Files).References
	implementations ask = (*scipindex.Files).Implementations
	definition      ask = (*scipindex.Files).Definition
)

// TestAnswers are those of files that scip-typescript and scip-python have made.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		language   string
		ask        ask
		file, text string
		want       string
	}{
		{"ts", references, "src/stock.ts", "|put(", "src/main.ts:10:put"},
		{"ts", references, "src/stock.ts", "|count(name: string): number;", "src/main.ts:7:count src/stock.ts:14:count"},
		{"ts", references, "src/stock.ts", "|count(name: string): number {", "src/main.ts:7:count src/stock.ts:14:count"},
		{"ts", references, "src/list.ts", "|count", "src/main.ts:12:count"},
		{"ts", references, "src/main.ts", "function |total", "src/main.ts:11:total"}, // behind wide characters
		{"ts", references, "src/main.ts", "(|name) =>", "src/main.ts:7:name"},        // known in its document only
		{"ts", implementations, "src/stock.ts", "interface |Store", "src/stock.ts:5:Shelf"},
		{"ts", implementations, "src/stock.ts", "|count(name: string): number;", "src/stock.ts:8:count"},
		{"ts", implementations, "src/list.ts", "class |List", ""},
		{"ts", definition, "src/main.ts", "shelf.|put", "src/stock.ts:13:put"},
		{"ts", definition, "src/main.ts", "new Lis|t().", "src/list.ts:1:List"},
		{"ts", definition, "src/main.ts", "|import", compiler.ErrNone.Error()},
		{"py", references, "shop/stock.py", "def |put", "shop/main.py:9:put"},
		{"py", references, "shop/stock.py", "class |Store", "shop/main.py:1:Store shop/main.py:4:Store shop/stock.py:6:Store"},
		{"py", references, "shop/main.py", "def |total", "shop/main.py:10:total"},
		{"py", implementations, "shop/stock.py", "class |Store", "shop/stock.py:6:Shelf"},
		{"py", definition, "shop/main.py", "store.|count", "shop/stock.py:2:count"},
	} {
		t.Run(tt.language+" "+tt.text, func(t *testing.T) {
			p := open(t, tt.language)
			p.index(testdata(t, tt.language+".scip"), "index-"+p.commit[:8]+".scip")
			a, err := tt.ask(p.Files, t.Context(), p.question(tt.file, tt.text))
			if got := p.places(a, err); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestSources name the indexer and the commit, which the version of the package is, too.
func TestSources(t *testing.T) {
	p := open(t, "py")
	p.index(testdata(t, "py.scip"), "index.scip")
	a, err := p.References(t.Context(), p.question("shop/stock.py", "def |put"))
	if want := "scip-python 0.6.6 at " + p.commit[:10]; err != nil || a.Source != want {
		t.Errorf("got %+v, %v, want %s", a, err, want)
	}
}

// TestChangedTexts are not told of, on disk and in editors, until they are again what they were.
func TestChangedTexts(t *testing.T) {
	p := open(t, "ts")
	p.index(testdata(t, "ts.scip"), "index-"+p.commit+".scip")
	count := func() string {
		t.Helper()
		a, err := p.References(t.Context(), p.question("src/stock.ts", "|count(name: string): number;"))
		return p.places(a, err)
	}
	main, stock := p.read("src/main.ts"), p.read("src/stock.ts")
	steps := []struct {
		name string
		do   func()
		want string
	}{
		{"nothing has changed", func() {}, "src/main.ts:7:count src/stock.ts:14:count"},
		{"another line", func() { p.write("src/main.ts", "\n"+main) }, "src/stock.ts:14:count"},
		{"another comment of this length", func() { p.write("src/main.ts", strings.Replace(main, "ü", "ö", 1)) }, "src/stock.ts:14:count"},
		{"as it was", func() { p.write("src/main.ts", main) }, "src/main.ts:7:count src/stock.ts:14:count"},
		{"other ends of lines", func() { p.write("src/main.ts", strings.ReplaceAll(main, "\n", "\r\n")) }, "src/main.ts:7:count src/stock.ts:14:count"},
		{"gone", func() { os.Remove(p.path("src/main.ts")) }, "src/stock.ts:14:count"},
		{"back", func() { p.write("src/main.ts", main) }, "src/main.ts:7:count src/stock.ts:14:count"},
		{"typed", func() { p.ws.SetBuffer(p.path("src/main.ts"), 1, []byte(main+"//")) }, "src/stock.ts:14:count"},
		{"taken back", func() { p.ws.SetBuffer(p.path("src/main.ts"), 2, []byte(main)) }, "src/main.ts:7:count src/stock.ts:14:count"},
		{"the declaration", func() { p.write("src/stock.ts", stock+"\n") }, compiler.ErrNone.Error()},
	}
	for _, s := range steps {
		s.do()
		if got := count(); got != s.want {
			t.Errorf("%s: got %s, want %s", s.name, got, s.want)
		}
	}
}

// TestWhatIsKnown are the places at which symbols are named, in texts that were indexed.
func TestWhatIsKnown(t *testing.T) {
	p := open(t, "ts")
	p.index(testdata(t, "ts.scip"), "index-"+p.commit+".scip")
	p.write("src/list.ts", p.read("src/list.ts")+"\n")
	p.write("src/new.ts", "shelf.put(1)\n")
	a, err := p.References(t.Context(), p.question("src/stock.ts", "|put("))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file, text string
		want       bool
	}{
		{"src/main.ts", "shelf.|put", true}, {"src/main.ts", "|import", false}, {"src/main.ts", "shelf.p|ut", false},
		{"src/list.ts", "|count", false}, {"src/new.ts", "|put", false},
	} {
		q := p.question(tt.file, tt.text)
		at := compiler.Place{Path: q.Path, Start: q.Offset, Hash: q.Hash}
		if a.Knows(at) != tt.want {
			t.Errorf("%s in %s is known: %v", tt.text, tt.file, !tt.want)
		}
		if at.Hash += "0"; a.Knows(at) {
			t.Errorf("%s in another text of %s is known", tt.text, tt.file)
		}
	}
	if a.Knows(compiler.Place{Path: filepath.Join(filepath.Dir(p.dir), "main.ts")}) {
		t.Error("a file outside is known")
	}
}

// TestMadeHere is an index without a commit: it holds for what is older than it, as the system notes it.
func TestMadeHere(t *testing.T) {
	for name, tt := range map[string]struct {
		make func(p *project)
		want string
	}{
		"older":     {func(p *project) { p.index(madeIn(p.t, testdata(p.t, "ts.scip"), "tool", p.dir), "index.scip") }, "src/main.ts:10:put"},
		"elsewhere": {func(p *project) { p.index(madeIn(p.t, testdata(p.t, "ts.scip"), "tool", "/builds/shop"), "index.scip") }, compiler.ErrNone.Error()},
		"changed since": {func(p *project) {
			p.index(madeIn(p.t, testdata(p.t, "ts.scip"), "tool", p.dir), "index.scip")
			trial.Tick()
			p.write("src/main.ts", p.read("src/main.ts"))
		}, ""},
		"changed since, with an old date": {func(p *project) {
			p.index(madeIn(p.t, testdata(p.t, "ts.scip"), "tool", p.dir), "index.scip")
			trial.Tick()
			p.write("src/main.ts", strings.Replace(p.read("src/main.ts"), "ü", "ö", 1))
			if err := os.Chtimes(p.path("src/main.ts"), time.Time{}, time.Unix(1, 0)); err != nil {
				p.t.Fatal(err)
			}
		}, ""},
		"open in an editor": {func(p *project) {
			p.index(madeIn(p.t, testdata(p.t, "ts.scip"), "tool", p.dir), "index.scip")
			p.ws.SetBuffer(p.path("src/main.ts"), 1, []byte(p.read("src/main.ts")))
		}, "src/main.ts:10:put"},
		"typed": {func(p *project) {
			p.index(madeIn(p.t, testdata(p.t, "ts.scip"), "tool", p.dir), "index.scip")
			p.ws.SetBuffer(p.path("src/main.ts"), 1, []byte(strings.Replace(p.read("src/main.ts"), "ü", "ö", 1)))
		}, ""},
		"of another text": {func(p *project) { // which was put back while the indexer read
			p.write("src/main.ts", strings.Replace(p.read("src/main.ts"), "shelf.put", "the_shelf.put", 1))
			trial.Tick()
			p.index(madeIn(p.t, testdata(p.t, "ts.scip"), "tool", p.dir), "index.scip")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "ts")
			tt.make(p)
			a, err := p.References(t.Context(), p.question("src/stock.ts", "|put("))
			if got := p.places(a, err); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestRelationships tells what refers from what implements, step by step, and what names nothing.
func TestRelationships(t *testing.T) {
	p := open(t, "ts")
	p.write("words.ts", "base alias heir grandchild use\n")
	trial.Tick()
	at := func(symbol string, roles scip.Roles, from, to int32) scip.NewOccurrence {
		return scip.NewOccurrence{Occurrence: scip.Occurrence{Range: scip.Range{StartChar: from, EndChar: to},
			Symbol: []byte(symbol), Roles: roles}}
	}
	implements := func(symbol, of string) scip.NewSymbol {
		return scip.NewSymbol{Symbol: symbol, Relationships: []scip.Relationship{{Symbol: []byte(of), Implementation: true}}}
	}
	var out bytes.Buffer
	w, err := scip.NewWriter(&out, scip.Metadata{Tool: "tool", Root: "file://" + filepath.ToSlash(p.dir)})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Document(scip.NewDocument{Path: "words.ts", Encoding: scip.UTF8,
		Occurrences: []scip.NewOccurrence{at("s base#", scip.Definition, 0, 4), at("s alias#", scip.Definition, 5, 10),
			at("s heir#", scip.Definition, 11, 15), at("s grandchild#", scip.Definition, 16, 26), at("s alias#", 0, 27, 30),
			at("s base#", 0, 30, 30)}, // which is empty
		Symbols: []scip.NewSymbol{{Symbol: "s alias#", Relationships: []scip.Relationship{{Symbol: []byte("s base#"), Reference: true}}},
			implements("s heir#", "s base#"), implements("s grandchild#", "s heir#"), implements("s base#", "s grandchild#")}})
	if err != nil {
		t.Fatal(err)
	}
	p.index(out.Bytes(), "index.scip")
	for _, tt := range []struct {
		ask  ask
		want string
	}{
		{references, "words.ts:1:use"},
		{implementations, "words.ts:1:heir words.ts:1:grandchild"}, // though the last one says that the first one does
		{definition, "words.ts:1:base"},
	} {
		a, err := tt.ask(p.Files, t.Context(), p.question("words.ts", "|base"))
		if got := p.places(a, err); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestUnusableFiles are not used, and doctor says why.
func TestUnusableFiles(t *testing.T) {
	good := testdata(t, "ts.scip")
	for name, tt := range map[string]struct {
		data  []byte
		error string // of a question
		state string // a part of the line
	}{
		"cut":               {good[:len(good)-3], "index.scip can't be used: it is no index of SCIP, or damaged, at byte", "it ends within a part"},
		"text":              {[]byte("hello, world\n"), "index.scip can't be used: it is no index of SCIP", "is not used"},
		"empty":             {nil, "index.scip can't be used: it does not say what has made it", "is not used"},
		"our own":           {madeIn(t, good, "ploke-lsp", "/srv/app/ts"), "index.scip can't be used: ploke-lsp has made it, by names", "is not used"},
		"of another folder": {madeIn(t, nil, "tool", "/elsewhere"), compiler.ErrNone.Error(), "no folder that is open has its documents"},
		"without a commit":  {good, compiler.ErrNone.Error(), "put the commit into its name"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "ts")
			p.index(tt.data, "index.scip")
			_, err := p.References(t.Context(), p.question("src/stock.ts", "|put("))
			if err == nil || !strings.HasPrefix(err.Error(), tt.error) {
				t.Errorf("the error is %v", err)
			}
			if states := p.States(t.Context()); len(states) != 1 || !strings.Contains(states[0].String(), tt.state) {
				t.Errorf("the state is %v", states)
			}
		})
	}
}

// TestStates count the documents that are unchanged.
func TestStates(t *testing.T) {
	p := open(t, "ts")
	p.settings = []string{"missing.scip"}
	p.index(testdata(t, "ts.scip"), "index-"+p.commit[:7]+".scip")
	p.write("src/list.ts", "")
	states := p.States(t.Context())
	if len(states) != 2 || !strings.Contains(states[0].Problem, "missing.scip can't be read") ||
		!strings.HasSuffix(states[1].String(), ", by scip-typescript 0.4.0 at "+p.commit[:10]+
			": 2 of its 3 documents are unchanged, and answered from it") {
		t.Errorf("the states are %v", states)
	}
}

// TestAReplacedFile is read again, in the folder as elsewhere.
func TestAReplacedFile(t *testing.T) {
	p := open(t, "py")
	p.settings = []string{"build/index.scip"}
	q := p.question("shop/stock.py", "def |put")
	if _, err := p.References(t.Context(), q); !errors.Is(err, compiler.ErrNone) {
		t.Fatal(err)
	}
	good := string(testdata(t, "py.scip"))
	for _, text := range []string{good, good[:100], good} {
		p.write("build/new.scip", text)
		if err := os.Rename(p.path("build/new.scip"), p.path("build/index.scip")); err != nil {
			t.Fatal(err)
		}
		_, err := p.References(t.Context(), q)
		if text == good && err != nil || text != good && (err == nil || !strings.Contains(err.Error(), "damaged")) {
			t.Errorf("an index of %d bytes: %v", len(text), err)
		}
	}
}

// TestAnotherText is an offset of a text that is not the present one.
func TestAnotherText(t *testing.T) {
	p := open(t, "py")
	p.index(testdata(t, "py.scip"), "index.scip")
	q := p.question("shop/stock.py", "def |put")
	q.Hash = workspace.Hash([]byte("another"))
	if _, err := p.References(t.Context(), q); !errors.Is(err, compiler.ErrChanged) {
		t.Errorf("the error is %v", err)
	}
}

// TestClosed is a project that ends while a file is read.
func TestClosed(t *testing.T) {
	p := open(t, "py")
	p.index(testdata(t, "py.scip"), "index.scip")
	p.Close()
	if _, err := p.References(t.Context(), p.question("shop/stock.py", "def |put")); !errors.Is(err, compiler.ErrNone) {
		t.Errorf("the error is %v", err)
	}
	p2 := open(t, "py")
	p2.index(testdata(t, "py.scip"), "index.scip")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p2.References(ended, p2.question("shop/stock.py", "def |put")); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
