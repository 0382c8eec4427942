package tools_test

import (
	"strings"
	"testing"
	"unicode/utf16"
)

func utf16LE(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		out.WriteByte(byte(unit))
		out.WriteByte(byte(unit >> 8))
	}
	return out.String()
}

// TestFilesInOtherEncodingsAreFoundAndQuoted searches, reads and edits files that are not UTF-8.
func TestFilesInOtherEncodingsAreFoundAndQuoted(t *testing.T) {
	const source = "package p\r\n\r\n// Größe gibt die Größe zurück.\r\nfunc Größe() int { return 1 }\r\n"
	latin := strings.NewReplacer("ö", "\xf6", "ß", "\xdf", "ü", "\xfc").Replace(source)
	w := &world{t: t, root: t.TempDir(), said: "Was gibt Größe zurück?"}
	w.write("latin.go", latin)
	w.write("wide.go", utf16LE(source))
	w.write("mixed.go", latin+"// für\r\n")
	w.open()
	contains := func(tool, args string, parts ...string) {
		t.Helper()
		result := string(w.call(tool, args).Content)
		for _, part := range parts {
			if !strings.Contains(result, part) {
				t.Errorf("%s %s has no %q:\n%s", tool, args, part, result)
			}
		}
	}
	contains("search_text", `{"pattern":"gibt die Größe zurück"}`, `latin.go","line":3`, `wide.go","line":3`,
		"// Größe gibt die Größe zurück.")
	contains("code_item_lookup", `{"name":"Größe"}`, "latin.go", "wide.go")
	contains("request_code_context", `{"hint":"Größe zurück"}`, "func Größe() int { return 1 }", "latin.go", "wide.go")
	contains("read_file", `{"file":"latin.go"}`, "func Größe() int")
	contains("get_file_metadata", `{"file":"latin.go"}`, `"encoding":"ISO-8859-1"`, `"canon":"Größe"`)
	contains("get_file_metadata", `{"file":"wide.go"}`, `"encoding":"UTF-16LE"`)
	contains("get_file_metadata", `{"file":"mixed.go"}`, `"encoding":"unknown, so it can't be edited`)
	edit := func(file, new string) string {
		return `{"edits":[{"mode":"replace","file":"` + file + `","old":"return 1","new":"` + new + `"}],"reason":"r"}`
	}
	contains("apply_code_edit", edit("latin.go", "return 1 // €"), `"code":"refused"`, "ISO-8859-1, has no character '€' (U+20AC)")
	contains("apply_code_edit", edit("mixed.go", "return 2"), `"code":"refused"`, "encoding is not clear", "convert it to UTF-8")
	contains("apply_code_edit", edit("latin.go", "return 2 // ä"), `"ok":true`)
	contains("apply_code_edit", edit("wide.go", "return 2 // €"), `"ok":true`)
}
