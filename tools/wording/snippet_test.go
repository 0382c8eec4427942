package wording_test

import (
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/tools/wording"
)

func TestSnippet(t *testing.T) {
	for _, test := range []struct{ name, path, code, want, text string }{
		{"plain", "/a/b.go", "x\ny\n", "<code=\"/a/b.go\" #7:8>\nx\ny\n</code>", "x\ny\n"},
		{"no final newline", "/a/b.go", "x\ny", "<code=\"/a/b.go\" #7:8>\nx\ny\n</code>", "x\ny\n"},
		{"blank last line", "/a/b.go", "x\n\n", "<code=\"/a/b.go\" #7:8>\nx\n\n</code>", "x\n\n"},
		{"empty", "/a/b.go", "", "<code=\"/a/b.go\" #7:6>\n</code>", ""},
		{"carriage returns are kept", "/a/b.go", "x\r\ny\r\n", "<code=\"/a/b.go\" #7:8>\nx\r\ny\r\n</code>", "x\r\ny\r\n"},
		{"closing tag in the code", "/a/b.go", "</code>\n", "<code=\"/a/b.go\" #7:7>\n</code>\n</code>", "</code>\n"},
		{"odd path", "/a \"<&>\"\n/ü\\.go", "x\n", "<code=\"/a \\\"<&>\\\"\\n/ü\\\\.go\" #7:7>\nx\n</code>", "x\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := wording.Snippet(test.path, 7, test.code)
			if got != test.want {
				t.Errorf("Snippet = %q, want %q", got, test.want)
			}
			code := &wording.Code{Path: test.path, StartLine: 7, EndLine: 6 + strings.Count(test.text, "\n"), Text: test.text}
			want := []wording.Part{{Text: "a <b> "}, {Code: code}, {Text: "\n"}}
			if diff := cmp.Diff(want, scanned("a <b> "+got+"\n")); diff != "" {
				t.Errorf("reading it back (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScannerLeavesWhatIsNoSnippet(t *testing.T) {
	for _, text := range []string{
		"if a < b && c > d",
		"<", "<code", "<code>x</code>", `<code="/a.go"`,
		"<code=\"/a.go\">\nx\n</code>",
		"<code=\"/a.go\" #0:1>\nx\ny\n</code>",
		"<code=\"/a.go\" #3:1>\nx\n</code>",
		"<code=\"/a.go\" #1:99999999999999999999>\nx\n</code>",
		"<code=\"/a\\q.go\" #1:1>\nx\n</code>",
		"<code=\"/a.go\" #1:1>\nx\n</cod",                                 // unfinished
		"<code=\"/a.go\" #1:1>\n" + strings.Repeat("x\n", 50) + "</code>", // many lines too many
		"<code=\"/" + strings.Repeat("a", 40<<10),                         // an endless tag
	} {
		if diff := cmp.Diff([]wording.Part{{Text: text}}, scanned(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", cut(text), diff)
		}
	}
}

// A tag that counts wrong still has its code: the closing tag is where it is.
func TestScannerReadsASnippetWithAnotherNumberOfLines(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []wording.Part
	}{
		{"too few", "a <code=\"/a.go\" #3:9>\nx\n</code> b\nc\n", []wording.Part{{Text: "a "}, {Code: &wording.Code{Path: "/a.go", StartLine: 3, EndLine: 3, AnnouncedEnd: 9, Text: "x\n"}}, {Text: " b\nc\n"}}},
		{"too many", "<code=\"/a.go\" #3:3>\nx\ny\n\n</code>", []wording.Part{{Code: &wording.Code{Path: "/a.go", StartLine: 3, EndLine: 5, AnnouncedEnd: 3, Text: "x\ny\n\n"}}}},
		{"another one behind it", "<code=\"/a.go\" #3:9>\nx\n</code>\n" + wording.Snippet("/b.go", 1, "y\n"), []wording.Part{{Code: &wording.Code{Path: "/a.go", StartLine: 3, EndLine: 3, AnnouncedEnd: 9, Text: "x\n"}}, {Text: "\n"}, {Code: &wording.Code{Path: "/b.go", StartLine: 1, EndLine: 1, Text: "y\n"}}}},
		{"no line", "<code=\"/a.go\" #3:3>\n</code>", []wording.Part{{Code: &wording.Code{Path: "/a.go", StartLine: 3, EndLine: 2, AnnouncedEnd: 3}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, scanned(test.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScannerFindsASnippetBehindABrokenTag(t *testing.T) {
	broken := "<code=\"/a.go\" #1:9>\n"
	got := scanned(broken + wording.Snippet("/b.go", 1, "x\n"))
	want := []wording.Part{{Text: broken}, {Code: &wording.Code{Path: "/b.go", StartLine: 1, EndLine: 1, Text: "x\n"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Certain text is returned at once: a reader sees the answer while it is written.
func TestScannerStreams(t *testing.T) {
	var s wording.Scanner
	for _, step := range []struct {
		delta string
		want  []wording.Part
	}{
		{"a ", []wording.Part{{Text: "a "}}},
		{"<co", nil},
		{"rner> ", []wording.Part{{Text: "<corner> "}}},
		{"<code=\"/a.go\" #1:1>\nx", nil},
		{"\n</code", nil},
		{"> b", []wording.Part{{Code: &wording.Code{Path: "/a.go", StartLine: 1, EndLine: 1, Text: "x\n"}}, {Text: " b"}}},
	} {
		if diff := cmp.Diff(step.want, s.Write(step.delta)); diff != "" {
			t.Errorf("Write(%q) (-want +got):\n%s", step.delta, diff)
		}
	}
	if rest := s.Close(); rest != nil {
		t.Errorf("Close = %v, want nothing", rest)
	}
}

// TestScannerLooksAtEachByteOnce writes a snippet without an end in small pieces, and counts the bytes that are allocated for it.
func TestScannerLooksAtEachByteOnce(t *testing.T) {
	const pieces = 200_000
	for name, begin := range map[string]string{"an endless line": "<code=\"/a.go\" #1:1>\nx\n", "endless lines": "<code=\"/a.go\" #1:99999999>\n", "an endless tag": "<code=\""} {
		piece := "x"
		if name == "endless lines" {
			piece = "\n"
		}
		var s wording.Scanner
		s.Write(begin)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range pieces {
			s.Write(piece)
		}
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 100*pieces {
			t.Errorf("%s: %d bytes for %d pieces", name, bytes, pieces)
		}
	}
}

// The parts do not depend on how a text is cut, and together they are the text. The Scanner
// reads what Snippet writes.
func FuzzScanner(f *testing.F) {
	f.Add("see <code=\"/a.go\" #1:2>\nx\n</code>\n</code> and", "/a.go", uint16(1), uint8(3))
	f.Add("<code=\"/a.go\" #1:1>\nx\n<code=\"/b.go\" #1:0>\n</code>", "/\"\n", uint16(9), uint8(0))
	f.Add("<<code=\"\\u00e4\" #4:4>\n\r\n</code></code>", "", uint16(0), uint8(1))
	f.Fuzz(func(t *testing.T, text, path string, line uint16, step uint8) {
		whole := scanned(text)
		var s wording.Scanner
		var got []wording.Part
		for i := 0; i < len(text); i += 1 + int(step) {
			got = append(got, s.Write(text[i:min(i+1+int(step), len(text))])...)
		}
		got = FieldPath(append(got, s.Close()...))
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("cut into pieces of %d (-whole +pieces):\n%s", 1+int(step), diff)
		}
		if !utf8.ValidString(path) || len(path) > 4096 {
			return
		}
		want := text
		if want != "" && !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		start := int(line) + 1
		end := start + strings.Count(want, "\n") - 1
		code := []wording.Part{{Code: &wording.Code{Path: path, StartLine: start, EndLine: end, Text: want}}}
		if diff := cmp.Diff(code, scanned(wording.Snippet(path, start, text))); diff != "" {
			t.Errorf("Snippet does not read back (-want +got):\n%s", diff)
		}
	})
}

func scanned(text string) []wording.Part {
	var s wording.Scanner
	parts := s.Write(text)
	return FieldPath(append(parts, s.Close()...))
}

// FieldPath joins adjacent plain text.
func FieldPath(parts []wording.Part) []wording.Part {
	var joined []wording.Part
	for _, p := range parts {
		if n := len(joined); p.Code == nil && n > 0 && joined[n-1].Code == nil {
			joined[n-1].Text += p.Text
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

func cut(s string) string { return s[:min(len(s), 60)] }
