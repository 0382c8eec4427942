package embedded

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/results"
)

// document adds a doc comment with a given text to a symbol that has none. Without a text it asks for one.
type document struct {
	target
	text string
}

const headLines = 30 // of a symbol, in which a docstring finds its place

func (x document) next(p progress) step {
	found, calls := x.resolve(p)
	if calls != nil {
		return step{calls: calls}
	}
	item, question := x.only(p, found, "changed", "add a doc comment to %s: "+strings.ReplaceAll(cmp.Or(x.text, "TEXT"),
		"%", "%%"))
	reads, applied := p.of("read_file"), p.of("apply_code_edit")
	head := item.FirstLine()
	switch {
	case question != "":
		return answerWith(question)
	case item.Doc != "":
		return answerWith(fmt.Sprintf("I changed nothing: %s, at %s, has a doc comment, which begins with %q. To change "+
			"it, say %s.\n",
			results.Code(item.Canon), p.Location(item.ID), results.Clip(conventions.FirstSentence(item.Doc)),
			results.Code("replace \"OLD\" with "+
				"\"NEW\" "+
				"in "+p.Rel(item.Path()))))
	case x.text == "":
		return answerWith(fmt.Sprintf("What shall it say? I place comments, but can't write them. Say %s.\n\n%s\n%s",
			results.Code("add a doc comment to "+item.Named(found.items)+": TEXT"), p.Listed(item), item.Quoted()))
	case len(reads) == 0:
		read := args{"file": item.Path(), "start_line": head, "end_line": head + headLines}
		return step{calls: []llm.Call{callTool("read_file", read)}}
	case len(applied) == 0:
		read := results.Decode[results.ReadResult](&reads[0])
		if !reads[0].OK {
			return p.failed("I changed nothing", reads[0])
		}
		edit := x.edit(item, read.Text(), head)
		if edit == nil {
			return answerWith("I changed nothing: I don't know how doc comments look in " + p.Rel(item.Path()) + ".\n")
		}
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": []args{edit}, "reason": "document " +
			item.Canon})}}
	}
	return p.staged("add a doc comment to "+results.Code(item.Canon), applied[0], "")
}

// edit returns the edit that adds the comment to a symbol whose lines begin with the given ones; nil if its language
// has no doc comments that are known here.
func (x document) edit(item results.Symbol, lines []string, line int) args {
	write, at, ext := conventions.CommentOf[filepath.Ext(item.Path())], 0, filepath.Ext(item.Path())
	if write == nil || len(lines) == 0 {
		return nil
	}
	indent := indentOf(lines[0])
	text := sentence(x.text, item.Name, ext == ".go")
	if ext != ".py" {
		return args{"mode": "replace", "file": item.Path(), "old": lines[0], "line": line, "new": write(indent, text) +
			"\n" + lines[0]}
	}
	for at < len(lines) && !headEnd.MatchString(lines[at]) {
		at++
	}
	if at+1 >= len(lines) {
		return nil
	}
	if indent += "    "; strings.TrimSpace(lines[at+1]) != "" {
		indent = indentOf(lines[at+1])
	}
	return args{"mode": "replace", "file": item.Path(), "old": lines[at], "line": line + at, "new": lines[at] + "\n" +
		write(indent, text)}
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// headEnd matches the line that ends the head of a function or class of Python.
var headEnd = lazyregexp.New(`:\s*(?:#.*)?$`)

// sentence makes a sentence of a text. In Go it begins with the name of what it documents.
func sentence(text, name string, named bool) string {
	text = strings.Join(strings.Fields(text), " ")
	first, size := utf8.DecodeRuneInString(text)
	switch {
	case named && !strings.HasPrefix(text, name+" ") && unicode.IsLower(first):
		text = name + " " + text
	case !named:
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}
