package syntax_test

import (
	"path/filepath"
	"testing"

	"ploke-lsp/internal/syntax"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"main.go", "", "go"},
		{"/a/b.d.ts", "", "typescript"},
		{"A.TSX", "", "tsx"},
		{"x.h", "", "c"},
		{"x.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nstruct class_of { int template; }; /* a class of things */\n", "c"},
		{"x.h", "#pragma once\nnamespace app {\nint f();\n}\n", "cpp"},
		{"x.h", "struct S {\n public:\n  int x;\n};\n", "cpp"},
		{"run", "#!/usr/bin/env -S python3 -u\n", "python"},
		{"run", "#!/usr/bin/node\n", "javascript"},
		{"run", "python\n", ""},
		{"notes.md", "#!/usr/bin/node\n", "markdown"},
		{"notes.txt", "#!/usr/bin/node\n", ""},
		{"docker/Dockerfile.arm64", "", "dockerfile"},
		{"app.dockerfile", "", "dockerfile"},
		{"ci.YML", "", "yaml"},
		{"deploy", "#!/bin/sh\n", "bash"},
		{"/home/me/.bashrc", "", "bash"},
		{"/home/me/bashrc", "", ""},
		{"run", "#!/usr/bin/python3.12\n", "python"},
		{"run", "#!\n", ""},
		{"a/BUILD", "", "python"},
		{"a/WORKSPACE.bazel", "", "python"},
		{"rules.bzl", "", "python"},
		{"Rakefile", "", "ruby"},
		{"Gemfile.lock", "", ""},
		{"Makefile", "", ""},
		{"CMakeLists.txt", "", ""},
		{"/a/.", "", ""},
		{"", "", ""},
	} {
		if got := syntax.Detect(filepath.FromSlash(c.name), []byte(c.text)); got != c.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
