package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestRenamingAFileNamesItsImporters checks the lines of the result that say what to adjust.
func TestRenamingAFileNamesItsImporters(t *testing.T) {
	files := map[string]string{
		"src/store.ts": "import { b } from './b';\nimport { c } from '../c';\nimport x from 'y';\nexport const a = b;\n",
		"src/b.ts":     "export const b = 1;\n",
		"c.ts":         "import { a } from './src/store';\nexport const c = a;\n",
		"notes.txt":    "src/store\n",
	}
	for i := range 12 {
		files[fmt.Sprintf("lib/l%02d.ts", i)] = "import { b } from '../src/b';\n"
	}
	for _, test := range []struct{ name, file, to, before, want string }{
		{"in its folder", "src/store.ts", "src/shop.ts", "", "adjust 1 import of it: c.ts:1"},
		{"into another folder", "src/store.ts", "lib/store.ts", "", "adjust 1 import of it: c.ts:1\nits own relative imports may need a change, too: lines 1, 2"},
		{"many importers", "src/b.ts", "src/bb.ts", "", "adjust 13 imports of it: lib/l00.ts:1, lib/l01.ts:1, lib/l02.ts:1, lib/l03.ts:1, lib/l04.ts:1, lib/l05.ts:1, lib/l06.ts:1, lib/l07.ts:1, lib/l08.ts:1, lib/l09.ts:1, and 3 more"},
		{"an importer that is only proposed", "c.ts", "d.ts", `{"file":"new.ts","content":"import './c';\n"}`, "adjust 2 imports of it: new.ts:1, src/store.ts:2"},
		{"no code", "notes.txt", "a.txt", "", ""},
		{"no file", "lib/l01.ts", "lib/m.ts", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, files)
			if test.before != "" {
				w.call("create_file", test.before)
			}
			text := w.set.Text("rename_file", w.call("rename_file", fmt.Sprintf(`{"file":%q,"to":%q}`, test.file, test.to)).Content)
			var got []string
			for line := range strings.Lines(text) {
				if strings.Contains(line, "import") {
					got = append(got, strings.TrimSpace(line))
				}
			}
			if strings.Join(got, "\n") != test.want {
				t.Errorf("got %s\nwant %s", text, test.want)
			}
		})
	}
}
