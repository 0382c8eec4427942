package index_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestImporters(t *testing.T) {
	for _, test := range []struct {
		name, of string
		folders  bool
		files    map[string]string
		want     string // FILE:LINE, in order
	}{
		{"TypeScript", "src/store.ts", false, map[string]string{
			"src/store.ts":   "export const a = 1;\n",
			"src/a.ts":       "import { a } from './store';\nimport b from \"./store.js\";\nexport * from './store';\nconst c = require('./store');\n",
			"src/deep/b.tsx": "import { a, type B } from '../store';\n",
			"lib/c.js":       "import '@/src/store';\n",
			"src/d.ts":       "import { store } from './other';\nimport x from './deep/store';\nimport y from 'store-kit';\nconst store = './store';\n",
		}, "lib/c.js:1 src/a.ts:1 src/a.ts:2 src/a.ts:3 src/a.ts:4 src/deep/b.tsx:1"},
		{"an index file", "ui/index.ts", false, map[string]string{
			"ui/index.ts": "export const a = 1;\n",
			"a.ts":        "import { a } from './ui';\nimport { b } from './ui/index';\nimport { c } from './ui/button';\n",
		}, "a.ts:1 a.ts:2"},
		{"a package", "packages/ui/src/index.ts", false, map[string]string{
			"packages/ui/package.json":     "{\"name\": \"@acme/ui\"}",
			"packages/ui/src/index.ts":     "export * from './button';\n",
			"packages/ui/src/button.ts":    "export const b = 1;\n",
			"packages/ui-kit/src/index.ts": "export const b = 1;\n",
			"app/a.ts":                     "import { b } from '@acme/ui';\nimport { c } from '@acme/ui-kit';\nimport d from '../packages/ui/src';\n",
		}, "app/a.ts:1 app/a.ts:3"},
		{"an index file by dots", "ui/index.js", false, map[string]string{
			"ui/index.js":        "module.exports = require('./a');\nexports.b = exports.c;\n",
			"ui/a.js":            "const ui = require('.');\nconst { b } = require('./');\nconst c = require('./b');\n",
			"ui/inner/b.js":      "require('..').b();\nconst other = require('.');\n",
			"ui/inner/deep/c.js": "module.exports = { ...require('../..') };\n",
			"other/index.js":     "require('../ui');\nrequire('.');\n",
		}, "other/index.js:1 ui/a.js:1 ui/a.js:2 ui/inner/b.js:1 ui/inner/deep/c.js:1"},
		{"the index of the root", "index.js", false, map[string]string{
			"index.js": "module.exports = 1;\n",
			"a.js":     "const all = require('.');\n",
			"lib/b.js": "const all = require('..');\nconst own = require('.');\nconst same = require('../index');\n",
		}, "a.js:1 lib/b.js:1 lib/b.js:3"},
		{"CommonJS", "lib/client.js", false, map[string]string{
			"lib/client.js":  "module.exports = class Client {};\n",
			"lib/client.cjs": "exports.b = a;\nmodule.exports = require('./client.js');\n",
			"a.js":           "const { a: b } = require('./lib/client');\nmodule.exports = { c: require('./lib/client').c };\nclass D extends require('./lib/client.js') {}\nconst other = require('./lib/client/other');\n",
			"b.mjs":          "const { default: C } = await import('./lib/client.js');\n",
		}, "a.js:1 a.js:2 a.js:3 b.mjs:1 lib/client.cjs:2"},
		{"a Python package by dots", "pkg/__init__.py", false, map[string]string{
			"pkg/__init__.py": "A = 1\n",
			"pkg/a.py":        "from . import A\n",
			"pkg/sub/b.py":    "from .. import A\n",
			"b.py":            "from pkg import A\n",
		}, "b.py:1 pkg/a.py:1 pkg/sub/b.py:1"},
		{"Python", "pkg/store.py", false, map[string]string{
			"pkg/__init__.py": "from .store import A\nfrom . import store\n",
			"pkg/store.py":    "A = 1\n",
			"a.py":            "import pkg.store\nfrom pkg.store import A\nfrom pkg import store as s, other\nfrom other.store import A\nimport store\n",
			"pkg/sub/b.py":    "from ..store import A\nfrom .store import A\n",
		}, "a.py:1 a.py:2 a.py:3 a.py:5 pkg/__init__.py:1 pkg/__init__.py:2 pkg/sub/b.py:1"},
		{"Rust", "src/store.rs", false, map[string]string{
			"src/lib.rs":   "pub mod store;\n",
			"src/store.rs": "pub struct Store;\n",
			"src/a.rs":     "use crate::store::Store;\nuse crate::other::Store;\n",
		}, "src/a.rs:1"},
		{"Java", "src/p/Circle.java", false, map[string]string{
			"src/p/Circle.java": "package p;\n\npublic class Circle {}\n",
			"src/q/A.java":      "package q;\n\nimport p.Circle;\nimport p.Square;\n",
		}, "src/q/A.java:3"},
		{"C", "inc/a.h", false, map[string]string{
			"inc/a.h": "int a(void);\n",
			"a.c":     "#include \"inc/a.h\"\n#include \"inc/b.h\"\n#include <stdio.h>\n",
		}, "a.c:1"},
		{"a Go package, in its folder", "shop/cart.go", false, goShop, ""},
		{"a Go package, into another folder", "shop/cart.go", true, goShop, "main.go:3"},
		{"prose", "docs/a.md", false, map[string]string{"docs/a.md": "# A\n", "b.md": "[a](docs/a.md)\n"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := open(t, test.files)
			p.update()
			found, err := p.index.Overlay(nil).Importers(t.Context(), p.path(test.of), test.folders)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, i := range found {
				rel, err := filepath.Rel(p.root, i.Path)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%s:%d", filepath.ToSlash(rel), i.Line))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %s\nwant %s", strings.Join(got, " "), test.want)
			}
		})
	}
}

var goShop = map[string]string{
	"go.mod":       "module example.com/m\n",
	"shop/cart.go": "package shop\n\ntype Cart struct{}\n",
	"shop/list.go": "package shop\n",
	"main.go":      "package main\n\nimport \"example.com/m/shop\"\n\nvar c shop.Cart\n",
	"other.go":     "package main\n\nimport \"example.com/other/shop\"\n",
}
