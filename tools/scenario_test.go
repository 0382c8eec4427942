package tools_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
)

var update = flag.Bool("update", false, "rewrite what the scenarios want")

// A scenario is a txtar archive: prose (#) and commands on top, then the files
// of the workspace, and last, in the file "want", what the commands print. A
// file named "later/NAME" is not part of the workspace at first.
//
//	text TOOL ARGUMENTS    runs a tool, and prints what a model reads
//	call TOOL ARGUMENTS    runs a tool; $ROOT is the workspace, $HASH(FILE) a file's hash
//	show FILE              prints a file as the turn sees it
//	buffer FILE            an editor has FILE open, with the text of later/FILE
//	write FILE             FILE on disk becomes later/FILE
//	turn NAME              the calls that follow belong to another turn
//	say TEXT               the user's last message
//	accept                 the user accepts what is staged, and it is written
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, got := play(t, archive)
			if *update && want != got {
				last := len(archive.Files) - 1
				archive.Files[last].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func play(t *testing.T, archive *txtar.Archive) (want, got string) {
	now, later := make(map[string]string), make(map[string]string)
	for _, f := range archive.Files {
		name, isLater := strings.CutPrefix(f.Name, "later/")
		switch {
		case f.Name == "want":
			want = string(f.Data)
		case isLater:
			later[name] = string(f.Data)
		default:
			now[f.Name] = string(f.Data)
		}
	}
	w := newWorld(t, now)
	var out strings.Builder
	for line := range strings.Lines(string(archive.Comment)) {
		command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if command == "" || strings.HasPrefix(command, "#") {
			continue
		}
		fmt.Fprintf(&out, "> %s %s\n", command, rest)
		w.do(&out, command, rest, later)
	}
	return want, out.String()
}

func (w *world) do(out *strings.Builder, command, rest string, later map[string]string) {
	w.t.Helper()
	switch command {
	case "call":
		tool, args, _ := strings.Cut(rest, " ")
		result := w.call(tool, w.expand(args))
		again := result
		if !strings.Contains(string(result.Content), "proposal_id") {
			again = w.call(tool, w.expand(args))
		}
		if !bytes.Equal(result.Content, again.Content) {
			w.t.Errorf("%s is not deterministic:\n%s\n%s", tool, result.Content, again.Content)
		}
		fmt.Fprintf(out, "%s\n%s\n", w.plain(result.Summary), w.plain(pretty(result)))
	case "text":
		tool, args, _ := strings.Cut(rest, " ")
		fmt.Fprintln(out, w.set.Text(tool, w.call(tool, w.expand(args)).Content))
	case "show":
		out.WriteString(strings.ReplaceAll(w.read(rest), "\r", "\\r"))
	case "buffer":
		w.deps.Workspace.SetBuffer(w.path(rest), 7, []byte(later[rest]))
	case "write":
		w.write(rest, later[rest])
	case "turn":
		w.turn = rest
	case "say":
		w.said = rest
	case "accept":
		w.accept()
	default:
		w.t.Fatalf("no command %q", command)
	}
}

func (w *world) accept() {
	w.t.Helper()
	ctx := w.t.Context()
	proposals, err := w.deps.Edits.Proposals.List(ctx, edits.Staged)
	if err != nil || len(proposals) != 1 {
		w.t.Fatalf("%d proposals are staged, want 1 (%v)", len(proposals), err)
	}
	plan, err := w.deps.Edits.Accept(ctx, proposals[0].Whole())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.deps.Edits.WriteToDisk(ctx, plan); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.deps.Edits.Settle(ctx, plan, edits.Outcome{Applied: true}); err != nil {
		w.t.Fatal(err)
	}
}

var hashOf = regexp.MustCompile(`\$HASH\(([^)]*)\)`)

func (w *world) expand(args string) string {
	args = strings.ReplaceAll(args, "$ROOT", w.root)
	return hashOf.ReplaceAllStringFunc(args, func(m string) string {
		return workspace.Hash([]byte(w.read(hashOf.FindStringSubmatch(m)[1])))
	})
}

var (
	hashes  = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	ids     = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	times   = regexp.MustCompile(`"modified_ms": \d+`)
	snippet = regexp.MustCompile(`(?m)^( *)("snippet": )("<code=.*")(,?)$`)
)

// plain removes from text what differs from run to run.
func (w *world) plain(text string) string {
	text = strings.ReplaceAll(text, w.root, "$ROOT")
	text = hashes.ReplaceAllString(text, "HASH")
	text = ids.ReplaceAllString(text, "ID")
	return times.ReplaceAllString(text, `"modified_ms": TIME`)
}

// pretty formats a result for people, with the lines of its snippets.
func pretty(result tools.Result) string {
	var b bytes.Buffer
	if err := json.Indent(&b, result.Content, "", "  "); err != nil {
		return err.Error()
	}
	return snippet.ReplaceAllStringFunc(b.String(), func(line string) string {
		m := snippet.FindStringSubmatch(line)
		var code string
		if json.Unmarshal([]byte(m[3]), &code) != nil {
			return line
		}
		code = strings.ReplaceAll(strings.ReplaceAll(code, "\r", "\\r"), "\n", "\n| ")
		return m[1] + m[2] + "\n| " + code + m[4]
	})
}
