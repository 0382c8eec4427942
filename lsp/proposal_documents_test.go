package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
)

// showDiff shows the diff of the proposal that waits, and opens its document.
func showDiff(t *testing.T, e *lsptest.Editor, circle string) (document string) {
	t.Helper()
	run(t, e, circle, "package", `ploke: show the diff of "Clearer words"`)
	e.Await("the document", func() bool {
		for _, shown := range e.Shown() {
			if strings.Contains(string(shown.URI), "review-") {
				document = shown.URI.FsPath()
			}
		}
		return document != ""
	})
	e.Open(document)
	return document
}

func typeOver(t *testing.T, e *lsptest.Editor, path, old, new string) {
	t.Helper()
	at := strings.Index(e.Text(path), old)
	if at < 0 {
		t.Fatalf("%q is not in\n%s", old, e.Text(path))
	}
	e.Type(path, at, at+len(old), new)
}

// TestTheDiffIsADocument shows a proposal as a document, edits it there, accepts and rejects
// blocks, and reads what is left.
func TestTheDiffIsADocument(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	document := showDiff(t, e, circle)
	text := e.Text(document)
	for _, part := range []string{"# Clearer words\n", "--- a/shapes/circle.go\n+++ b/shapes/circle.go\n@@ -", "-\tRadius float64\n+\tRadius float64 // in meters\n", "+++ b/shapes/side.go\n@@ -0,0 +1,4 @@\n+package shapes\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	typeOver(t, e, document, "// in meters", "// in cubits")
	e.Await("the proposal to follow", func() bool {
		return slices.ContainsFunc(e.Published(circle), func(d protocol.Diagnostic) bool {
			return strings.Contains(string(d.Message.(protocol.String)), "in cubits")
		})
	})
	if strings.Contains(e.Text(circle), "cubits") {
		t.Fatal("the file was changed")
	}
	run(t, e, document, "func squared(", "ploke: reject this block")
	e.Await("the document to follow", func() bool { return !strings.Contains(e.Text(document), "squared") })
	run(t, e, document, "// in cubits", "ploke: accept the changes of shapes/circle.go")
	awaitMade(t, e, circle, "Radius float64 // in cubits\n")
	e.Await("the document to follow", func() bool { return !strings.Contains(e.Text(document), "circle.go") })
	run(t, e, document, "side.go", `ploke: accept "Clearer words"`)
	awaitText(e, document, "Nothing of it waits any more")
	if !exists(f.path("shapes/side.go")) || strings.Contains(e.Text(circle), "squared") {
		t.Errorf("circle.go is\n%s", e.Text(circle))
	}
}

// TestADiffIsKnownAfterARestart decides in a diff that an earlier process has written, and learns that another one is
// out of date.
func TestADiffIsKnownAfterARestart(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	document := showDiff(t, e, circle)
	text := e.Text(document)
	e.Shutdown()

	e = f.start(lsptest.Options{Capabilities: plain(nil)})
	e.Open(circle)
	e.Open(document)
	awaitAction(t, e, document, "func squared(", "ploke: reject this block")
	run(t, e, document, "func squared(", "ploke: reject this block")
	e.Await("the document to follow", func() bool { return !strings.Contains(e.Text(document), "squared") })
	e.Shutdown()

	e = f.start(lsptest.Options{Capabilities: plain(nil)})
	e.OpenText(document, text)
	e.Await("the reason", func() bool {
		return slices.ContainsFunc(e.Published(document), func(d protocol.Diagnostic) bool {
			return strings.Contains(string(d.Message.(protocol.String)), "show the diff of the proposal again")
		})
	})
	if all := titles(t, e, document, "func squared("); slices.Contains(all, "ploke: reject this block") {
		t.Errorf("a diff that is out of date offers %q", all)
	}
}

// errorsIn returns what is wrong in a document.
func errorsIn(e *lsptest.Editor, path string) []protocol.Diagnostic {
	return slices.DeleteFunc(e.Published(path),
		func(d protocol.Diagnostic) bool { return d.Severity != protocol.DiagnosticSeverityError })
}

// TestADiffThatCantBeRead keeps what the person typed, says what is wrong, and goes on once it is
// mended.
func TestADiffThatCantBeRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	document := showDiff(t, e, circle)
	typeOver(t, e, document, "-\tRadius float64\n", "-\tDiameter float64\n")
	typed := e.Text(document)
	var problem protocol.Diagnostic
	e.Await("the problem", func() bool {
		list := errorsIn(e, document)
		if len(list) == 1 {
			problem = list[0]
		}
		return len(list) == 1
	})
	line := strings.Count(typed[:strings.Index(typed, "-\tDiameter")], "\n")
	if message := string(problem.Message.(protocol.String)); int(problem.Range.Start.Line) != line ||
		problem.Severity != protocol.DiagnosticSeverityError || !strings.Contains(message, "Radius float64") {
		t.Errorf("the problem is %+v: %s; want line %d", problem, message, line)
	}
	typeOver(t, e, document, "Diameter", "Radius")
	typeOver(t, e, document, "in meters", "in miles")
	e.Await("the problem to go", func() bool { return len(errorsIn(e, document)) == 0 })
	run(t, e, document, "in miles", `ploke: accept "Clearer words"`)
	awaitMade(t, e, circle, "in miles")
}

// TestADecisionKeepsWhatIsTypedInTheDiff decides elsewhere while the diff can't be read. The text
// stays, and what was rejected does not come back with it.
func TestADecisionKeepsWhatIsTypedInTheDiff(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	document := showDiff(t, e, circle)
	shown := e.Text(document)
	typeOver(t, e, document, "-\tRadius float64\n", "-\tDiameter float64\n")
	e.Await("the problem", func() bool { return len(errorsIn(e, document)) == 1 })
	typed := e.Text(document)
	run(t, e, circle, "func square(", "ploke: reject this hunk")
	awaitHunks(t, e, circle, 1)
	typeOver(t, e, document, "Diameter", "Radius")
	typeOver(t, e, document, "in meters", "in miles")
	typed = strings.NewReplacer("Diameter", "Radius", "in meters", "in miles").Replace(typed)
	e.Await("the problem", func() bool {
		list := errorsIn(e, document)
		return len(list) == 1 && strings.Contains(string(list[0].Message.(protocol.String)), "has changed since you edited")
	})
	if e.Text(document) != typed {
		t.Errorf("the document became\n%s", e.Text(document))
	}
	typeOver(t, e, document, e.Text(document), shown)
	e.Await("the document to follow", func() bool { return len(errorsIn(e, document)) == 0 && !strings.Contains(e.Text(document), "squared") })
}

// TestTheDiffIsNoWork offers the review's actions on a diff, and none of those on code.
func TestTheDiffIsNoWork(t *testing.T) {
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	document := showDiff(t, e, circle)
	all := titles(t, e, document, "# Clearer words\n")
	if !slices.Contains(all, `ploke: accept "Clearer words"`) {
		t.Errorf("the actions are %q", all)
	}
	for _, title := range all {
		for _, verb := range []string{"explain", "document", "write tests", "ask"} {
			if strings.HasPrefix(title, "ploke: "+verb) {
				t.Errorf("%q is offered", title)
			}
		}
	}
}
