package conventions

import (
	"strings"
	"testing"
)

// TestFirstParagraph reads what READMEs begin with.
func TestFirstParagraph(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"markup before", "<p align=\"center\">\n  <img src=\"x\">\n</p>\n\n# Vite\n\n> Next generation of front end tooling\n\n- fast and " +
			"very small too\n\nVite is a build tool that is fast.", "Vite is a build tool that is fast."},
		{"about itself", "This README is just a quick start.\n\nRedis is a store of data structures.", "Redis is a store of data structures."},
		{"code by its indent", "A\n=\n\nUse it so:\n\n    if this is code for all of you\n        print(\"it is for you\")\n\nIt reads all of the files.",
			"It reads all of the files."},
		{"within markup", "<div>\n\nThis page is for all of you.\n\n</div>\n\nThe library is for all of us.", "The library is for all of us."},
		{"below a logo", "<p align=\"center\">\n  <img src=\"x\"><br>\n  <a href=\"y\"><img src=\"z\"></a><br>\n  A <i>cat(1)</i> clone with " +
			"colors for all.\n</p>\n\nIt supports a large number of languages.", "A cat(1) clone with colors for all."},
		{"in a paragraph of its own", "<p align=\"center\"><em>A cat(1) clone with colors for all.</em></p>\n\nIt supports a number of languages.",
			"A cat(1) clone with colors for all."},
		{"thanks below a logo", "<p align=\"center\">\n  Special thanks to all of them.\n</p>\n\nA small tool for files.",
			"A small tool for files."},
		{"links below a logo", "<p align=\"center\">\n  <a href=\"#a\">Key features of it</a> •\n  <a href=\"#b\">How to use it</a>\n</p>\n\n" +
			"It is a small tool for files.", "It is a small tool for files."},
		{"badges", "# Gin\n\n[![Build](x)](y)\n[![Go](x)](y)\n\nGin is a web framework in Go.", "Gin is a web framework in Go."},
		{"the first sentence", "# Tool\n\nThe fun way to build apps. A framework.\n\nTool is in use in production.", "The fun way to build apps. A framework."},
		{"a notice", "> [!TIP]\n\nLooking for version 1? See the branch.\n\nNote: this moves soon to a place.\n\nA small tool for files.", "A small tool for files."},
		{"news", "## News\n\nVersion 2 is out now.\n\n## What it is\n\nA small tool for files.", "A small tool for files."},
		{"a sentence of several lines in markup", "<p>\n  <b>Tool</b> is a small program that\n  reads <i>all</i> files.\n</p>",
			"Tool is a small program that\nreads all files."},
		{"a rule and a heading without an empty line", "A small tool for files.\n---\n### Support\nPlease send money to us.", "A small tool for files."},
		{"carriage returns", "# T\r\n\r\nA small tool for files.\r\n\r\nMore of it is here.", "A small tool for files.\r"},
		{"links to other languages", "English | German | French | Latin\n\nA small tool for files.", "A small tool for files."},
		{"tags around words", "# T\n\nT builds <abbr title=\"command line interface\">CLI</abbr> programs that <em>all</em> love.\n\n" +
			"It's also a tool for scripts of yours.", "T builds CLI programs that all love."},
		{"a key", "# T\n\nPress <kbd>Ctrl</kbd> to open all files.\n\nIt is a small tool.", "Press Ctrl to open all files."},
		{"a link first", "# T\n\n[T](https://t.example/) is a small tool for files.\n\nIt is fast for all of us.",
			"[T](https://t.example/) is a small tool for files."},
		{"a link by reference first", "# T\n\n[![b][c]][d]\n\n[T][1] reads all of your files.\n\nIt is fast for all of us.\n\n[1]: x",
			"[T][1] reads all of your files."},
		{"links alone", "# T\n\n[The long guide](a) and [the other docs](b)\n\n[Home of the tool](a) | [What to read](b)\n\nA small tool for files.",
			"A small tool for files."},
		{"reStructuredText", "=====\nTool\n=====\n\n.. image:: x\n\n|build| |docs|\n\nThe `tool <https://x>`_ reads all files.\n\nIt is fast.",
			"The `tool <https://x>`_ reads all files."},
		{"AsciiDoc", "= Tool for all of your files\n:toc: left\n\nimage::x[]\n\nThe tool reads https://x[all] files.", "The tool reads https://x[all] files."},
		{"a table of HTML", "<table><tr><td>This is a row of it</td></tr></table>\n\nThe tool reads all files.", "The tool reads all files."},
		{"no verb", "# X\n\nFast and small parser library.\n\nMore to come here soon.", "Fast and small parser library."},
	}
	for _, tt := range tests {
		if got := Describe(strings.Split(tt.text, "\n")).Text; got != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
