package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLongLines checks that files with long lines can be read and edited, and that results stay small.
func TestLongLines(t *testing.T) {
	paragraph := strings.Repeat("These are words of a paragraph. ", 60)
	for name, test := range map[string]struct{ file, text, old, shown string }{
		"one-line JSON": {"a.json", `{"list":[` + strings.Repeat(`{"key":"value"},`, 20_000) + `{"last":1}]}`, `{"last":1}`, " more bytes]"},
		"a data URI":    {"a.ts", "export const a = 1\nexport const image = \"data:image/png;base64," + strings.Repeat("iVBORw0K", 60_000) + "\"\nexport const b = 2\n", "const b = 2", "export const b = 2"},
		"paragraphs":    {"a.md", "# Title\n\n" + paragraph + "\n\n" + paragraph + "\n\nLast word.\n\n" + paragraph + "\n", "Last word.", paragraph},
		"a megabyte":    {"long.txt", strings.Repeat("abcdefgh ", 120_000) + "end\n", "h end", " more bytes]"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{test.file: test.text})
			result := w.call("read_file", fmt.Sprintf(`{"file":%q}`, test.file))
			if text := string(result.Content); !result.OK || !strings.Contains(text, strings.ReplaceAll(test.shown, `"`, `\"`)) ||
				len(text) > 48<<10 {
				t.Errorf("%d bytes: %.300s", len(text), text)
			}
			edited := w.edit(test.file, test.old, "NEW")
			if want := strings.Replace(test.text, test.old, "NEW", 1); !edited.OK || w.read(test.file) != want || len(edited.Content) > 8<<10 {
				t.Errorf("%d bytes: %.500s", len(edited.Content), edited.Content)
			}
			if refused := w.edit(test.file, "not there at all", "x"); refused.OK || len(refused.Content) > 16<<10 {
				t.Errorf("%d bytes: %.500s", len(refused.Content), refused.Content)
			}
			found := w.call("search_text", fmt.Sprintf(`{"pattern":"NEW","include":["%s"]}`, test.file))
			if !strings.Contains(string(found.Content), "NEW") || len(found.Content) > 4<<10 {
				t.Errorf("%.500s", found.Content)
			}
		})
	}
}

// TestBinaryFilesAreNamed checks that a refusal says that a file is binary.
func TestBinaryFilesAreNamed(t *testing.T) {
	w := newWorld(t, map[string]string{"a.bin": "\x00\x01\x02 one"})
	for _, content := range []string{string(w.call("read_file", `{"file":"a.bin"}`).Content), w.edit("a.bin", "one", "two").Content} {
		if !strings.Contains(content, "a.bin is not served: it is binary") {
			t.Errorf("%s", content)
		}
	}
}

// TestNoSecretIsCut checks that a line isn't cut within a secret, since the part would not be recognized as one.
func TestNoSecretIsCut(t *testing.T) {
	const secret = "ghp_" + "a8Kq2Lm9Zx4Vb7Nc1Wd6Rt3Yp5Uj0He8Sg2F"
	for before := 3960; before < 4001; before += 8 {
		line := strings.Repeat("word ", before/5+1)[:before-1] + " "
		w := newWorld(t, map[string]string{"a.txt": line + secret + strings.Repeat(" word", 2000) + "\nlast\n"})
		content := string(w.call("read_file", `{"file":"a.txt"}`).Content)
		if strings.Contains(content, secret[:8]) && !strings.Contains(content, secret) || !strings.Contains(content, " more bytes]") {
			t.Errorf("after %d bytes: %.200s", before, content[max(strings.Index(content, "ghp_"), 0):])
		}
	}
}
