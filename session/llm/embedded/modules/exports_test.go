package modules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/embedded/modules"
)

func TestExportsOfAModule(t *testing.T) {
	type export = modules.Export
	tests := []struct {
		name, path, text string
		want             []export
	}{
		{"a package of Python", "a/__init__.py", `"""Doc.
from .doc import Doc
"""
from typing import Any
from .main import run as run, Main
from .x import (
    A,  # one
    B as C,
)
from .all import *
import os
def f(): pass
class _Hidden: pass
__version__ = "1"
`, []export{{From: ".main", Names: []string{"run", "Main"}, Line: 5}, {From: ".x", Names: []string{"A", "C"}, Line: 6},
			{From: ".all", All: true, Line: 10}, {Names: []string{"f", "__version__"}, Line: 12}}},
		{"a list of exports", "a/__init__.py", "from .b import B, D\n__all__ = [\n  'B', \"f\",\n  'late',\n]\ndef f(): pass\ndef g(): pass\n",
			[]export{{From: ".b", Names: []string{"B"}, Line: 1}, {Names: []string{"late", "f"}, Line: 2}}},
		{"a module of Python", "a/m.py", "from .b import B\nfrom .c import C as C\nX = 1\nimport os.path as path\n",
			[]export{{From: ".c", Names: []string{"C"}, Line: 2}, {Names: []string{"X"}, Line: 3}}},
		{"a crate", "src/lib.rs", `//! pub use doc::Doc;
pub mod io;
mod hidden;
pub use self::a::{b, c::{D, E as F}, g::*};
pub use h;
pub(crate) fn inner() {}
pub fn outer() { let x = '{'; }
    pub fn method() {}
pub trait T: Sized {
#[macro_export]
macro_rules! mac { () => {} }
macro_rules! own { () => {} }
`, []export{{Names: []string{"io", "h", "outer", "T", "mac"}, Line: 2}, {From: "self::a", Names: []string{"b"}, Line: 4},
			{From: "self::a::c", Names: []string{"D", "F"}, Line: 4}, {From: "self::a::g", All: true, Line: 4}}},
		{"a module of TypeScript", "index.ts", `// export { No } from './no'
export * from './all'
export * as ns from './ns'
export {
  a,
  type B as C,
} from './b'
export async function f() {}
export default class D {}
export const x = 1
`, []export{{From: "./all", All: true, Line: 2}, {From: "./ns", Names: []string{"ns"}, Line: 3},
			{From: "./b", Names: []string{"a", "C"}, Line: 4}, {Names: []string{"f", "D", "x"}, Line: 8}}},
		{"a module of CommonJS", "index.js", "exports.a = 1\nmodule.exports = { b, c: 2, d() {} }\n", []export{{Names: []string{"a", "b",
			"c", "d"}, Line: 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := modules.Exports(tt.path, tt.text)
			if d := cmp.Diff(tt.want, got); d != "" || !ok {
				t.Error(d)
			}
		})
	}
	if _, ok := modules.Exports("a.go", "package a"); ok {
		t.Error("Go has no file of exports")
	}
}
