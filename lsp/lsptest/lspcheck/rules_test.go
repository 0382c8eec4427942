package lspcheck

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWrongMessagesAreFound(t *testing.T) {
	for _, tt := range wrongSessions {
		t.Run(string(tt.rule)+" "+tt.name, func(t *testing.T) {
			capabilities := tt.capabilities
			if capabilities == "" {
				capabilities = everything
			}
			found := play(t, strings.Replace(hello, "CAPABILITIES", capabilities, 1)+tt.session)
			if len(found) != 1 || found[0].Rule != tt.rule {
				t.Errorf("found %+v, want one violation of the rule %q", found, tt.rule)
			}
			if tt.rule != RuleUndeclared || capabilities == everything {
				return
			}
			if found := play(t, strings.Replace(hello, "CAPABILITIES", everything, 1)+tt.session); found != nil {
				t.Errorf("found %+v, although everything is declared", found)
			}
		})
	}
}

// rightSession has messages that look like wrong ones.
var rightSession = token + begin + progressed(`"kind":"report","percentage":10`) + progressed(`"kind":"report","message":"m"`) + end +
	actions + result(`[{"title":"t","command":"run"},{"title":"t","edit":{"changes":{"file:///w/a.go":[`+edit(first)+`,`+edit(second)+`]}}}]`) + "\n" +
	hovering + result(`{"contents":{"kind":"markdown","value":"v"},"range":{"start":{"line":0,"character":1},"end":{"line":0,`+
	`"character":3}}}`) + "\n" +
	hovering + `> {"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/a.go","version":2},"contentChanges":[{"range":` + second + `,"text":"2"}]}}` + "\n" +
	result(`{"contents":"computed before the change","range":`+second+`}`) + "\n" +
	edited("1", edit(second)) + "\n" + `> {"id":8,"result":{"applied":false}}` + "\n" +
	strings.ReplaceAll(strings.ReplaceAll(edited("null", edit(first)), "file:///w/a.go", "FILE"), ":8,", ":9,") + "\n" +
	`< {"method":"$/cancelRequest","params":{"id":9}}` + "\n" +
	`> RAW Content-Length: 1` + "\r\n\r\n" + `{` + "\n" + `< {"id":null,"error":{"code":-32700,"message":"m"}}` + "\n" +
	completion + goodbye + `< {"id":1,"error":{"code":-32800,"message":"cancelled"}}`

func TestRightMessagesAreNotReported(t *testing.T) {
	if found := play(t, strings.Replace(hello, "CAPABILITIES", everything, 1)+rightSession); found != nil {
		t.Errorf("found %+v", found)
	}
}

// TestWrongBeginnings has what goes wrong before the client has sent initialized.
func TestWrongBeginnings(t *testing.T) {
	const ask = `> {"id":"i","method":"initialize","params":{"capabilities":{}}}` + "\n"
	for _, tt := range []struct {
		rule    Rule
		session string
	}{
		{RulePhase, ask + `< {"method":"telemetry/event","params":{}}` + "\n" + published(`"diagnostics":[]`)},
		{RulePhase, ask + `< {"id":"i","result":{"capabilities":{}}}` + "\n" + registered("1", "textDocument/hover", `{"documentSelector":null}`)},
		{RuleEncoding, ask + `< {"id":"i","result":{"capabilities":{"positionEncoding":"utf-8"}}}`},
		{RuleUndeclared, ask + `< {"id":"i","result":{"capabilities":{"notebookDocumentSync":{"notebookSelector":[{"notebook":"*"}]}}}}`},
		{RuleUndeclared, ask + `< {"id":"i","result":{"capabilities":{"codeActionProvider":{"codeActionKinds":[]}}}}`},
	} {
		if found := play(t, tt.session); len(found) == 0 || found[0].Rule != tt.rule {
			t.Errorf("%s: found %+v, want the rule %q first", tt.session, found, tt.rule)
		}
	}
}

// TestEachRuleFindsSomething fails if there is no wrong message for a rule.
func TestEachRuleFindsSomething(t *testing.T) {
	found := []Rule{RuleEncoding} // in TestWrongBeginnings
	for _, tt := range wrongSessions {
		found = append(found, tt.rule)
	}
	for _, rule := range AllRules() {
		if !slices.Contains(found, rule) {
			t.Errorf("no wrong message violates the rule %q", rule)
		}
	}
}

// play plays a session, and returns what is wrong with it. FILE stands for a file that nobody opens.
func play(t *testing.T, session string) (found []Violation) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "old.go")
	long := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(path, []byte("old\n"), 0o600), os.Chtimes(path, long, long)); err != nil {
		t.Fatal(err)
	}
	s, err := NewSession(func(v Violation) { found = append(found, v) })
	if err != nil {
		t.Fatal(err)
	}
	to := map[byte]io.Writer{'>': s.clientFrames(), '<': s.serverFrames()}
	session = strings.ReplaceAll(session, "FILE", "file://"+path)
	begins := regexp.MustCompile(`(?m)^[<>] `).FindAllStringIndex(session, -1)
	for i, at := range begins {
		message := session[at[1]:]
		if i+1 < len(begins) {
			message = session[at[1]:begins[i+1][0]]
		}
		fmt.Fprint(to[session[at[0]]], frame(message))
	}
	return found
}

// frame returns the bytes of a message: those behind RAW, else a body that lacks only the version.
func frame(message string) string {
	if raw, ok := strings.CutPrefix(message, "RAW "); ok {
		return strings.TrimSuffix(raw, "\n")
	}
	body := `{"jsonrpc":"2.0",` + strings.TrimPrefix(message, "{")
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// TestKnownDifferences has clients that differ from what they declare.
func TestKnownDifferences(t *testing.T) {
	var found []Rule
	s, err := NewSession(func(v Violation) { found = append(found, v.Rule) })
	if err != nil {
		t.Fatal(err)
	}
	s.CountCodePoints()
	s.Support("workspace.applyEdit")
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"textDocument":{"publishDiagnostics":{}}}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.go","version":1,"text":"😀b"}}}`,
	} {
		s.FromClient([]byte(body))
	}
	s.FromServer([]byte(`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}`))
	s.FromServer([]byte(`{"jsonrpc":"2.0","id":1,"method":"workspace/applyEdit","params":{"edit":{}}}`))
	if found != nil {
		t.Errorf("found %q", found)
	}
	s.FromServer([]byte(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///w/a.go","diagnostics":[
		{"message":"UTF-16","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}}}]}}`))
	if len(found) != 1 || found[0] != RulePosition {
		t.Errorf("found %q", found)
	}
}
