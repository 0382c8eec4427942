package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// slipFiles is a workspace with what slips are about: a unique file name, overloads, and the same
// name in two packages.
func slipFiles() map[string]string {
	var many strings.Builder
	many.WriteString("class Many {\n")
	for i := range 40 {
		fmt.Fprintf(&many, "  void put(T%d x) {}\n", i)
	}
	many.WriteString("}\n")
	return map[string]string{
		"src/com/google/gson/stream/JsonWriter.java": `package com.google.gson.stream;

class JsonWriter {
  JsonWriter jsonValue(String value) { return this; }

  JsonWriter value(String value) { return this; }

  JsonWriter value(int value) { return this; }

  JsonWriter value(boolean value) { return this; }
}
`,
		"src/Many.java":      many.String(),
		"server/server.go":   "package server\n\n// Server serves.\ntype Server struct{ Set int }\n\nfunc (s *Server) Run() error {\n\treturn nil\n}\n\nfunc init() {}\n\nfunc init() {}\n",
		"store/set.go":       "package store\n\ntype Set struct{}\n\nconst limit = 3\n",
		"other/set.go":       "package other\n\ntype Set struct{}\n",
		"guide.md":           "# Install\n\ntext\n\n# Install(Linux)\n\nother text\n",
		"internal/a/util.go": "package a\n\nfunc Only() {}\n",
	}
}

// slip is a call as a model may send it, and a part of the result.
type slip struct{ tool, args, says string }

func (w *world) checkSlips(slips []slip) {
	w.t.Helper()
	for i, s := range slips {
		w.turn = fmt.Sprint("turn of slip ", i) // each sees the files without the edits of the others
		if content := string(w.call(s.tool, s.args).Content); !strings.Contains(content, s.says) {
			w.t.Errorf("%s %s does not say %s:\n%s", s.tool, s.args, s.says, content)
		}
	}
}

func TestAPathMeansTheOnlyFileItCanMean(t *testing.T) {
	w := newWorld(t, slipFiles())
	w.checkSlips([]slip{
		{"read_file", `{"file":"JsonWriter.java"}`, `stream/JsonWriter.java`},
		{"read_file", `{"file":"./gson/stream/JsonWriter.java"}`, `stream/JsonWriter.java`},
		{"read_file", `{"file":"` + w.root + `/JsonWriter.java"}`, `stream/JsonWriter.java`},
		{"read_file", `{"file":"set.go"}`, `"code":"not_found"`},
		{"read_file", `{"file":"riter.java"}`, `"code":"not_found"`},
		{"read_file", `{"file":"server/server.go:6"}`, `"start_line":6,"end_line":12`},
		{"read_file", `{"file":"server.go:6:14"}`, `"start_line":6,"end_line":12`},
		{"read_file", `{"file":"server.go:6-7"}`, `"start_line":6,"end_line":7`},
		{"read_file", `{"file":"` + w.root + `/server/server.go#6:8"}`, `"start_line":6,"end_line":8`},
		{"read_file", `{"file":"server.go#L6-L7","start_line":1}`, `"start_line":1,"end_line":12`},
		{"read_file", `{"file":"server.go:99999999999999999999"}`, `"code":"not_found"`},
		{"read_file", `{"file":"server.go:99"}`, `"error":"the file has no line 99"`},
		{"get_file_metadata", `{"file":"JsonWriter.java"}`, `"exists":true`},
		{"get_file_metadata", `{"file":"set.go"}`, `"exists":false`},
		{"apply_code_edit", `{"file":"util.go","old":"func Only() {}","new":"func Only() { panic(1) }"}`, `internal/a/util.go`},
		{"create_file", `{"file":"util.go","content":"package main\n"}`, w.root + `/util.go"`},
		{"delete_file", `{"file":"../util.go"}`, `"code":"outside_workspace"`},
	})
}

// A file that the turn has renamed or deleted is not replaced by another one of that name.
func TestAFileThatTheTurnHasRemovedIsNotAnotherOne(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n", "sub/a.go": "package sub\n", "b.go": "package a\n", "sub/b.go": "package sub\n"})
	w.call("delete_file", `{"file":"a.go"}`)
	w.call("rename_file", `{"file":"b.go","to":"c.go"}`)
	for _, file := range []string{"a.go", "b.go"} {
		if result := w.call("read_file", `{"file":"`+file+`"}`); result.OK {
			t.Errorf("%s: %s", file, result.Content)
		}
	}
}

func TestAQualifiedNameMeansItsSymbol(t *testing.T) {
	w := newWorld(t, slipFiles())
	w.checkSlips([]slip{
		{"code_item_lookup", `{"name":"com.google.gson.stream.JsonWriter.jsonValue"}`, `"canon":"JsonWriter::jsonValue"`},
		{"code_item_lookup", `{"name":"com.google…JsonWriter.jsonValue"}`, `"canon":"JsonWriter::jsonValue"`},
		{"code_item_lookup", `{"name":"com.google...JsonWriter.jsonValue"}`, `"canon":"JsonWriter::jsonValue"`},
		{"code_item_lookup", `{"canon":"JsonWriter.jsonValue(String)"}`, `"canon":"JsonWriter::jsonValue"`},
		{"code_item_lookup", `{"name":"store.Set"}`, `store/set.go`},
		{"code_item_lookup", `{"name":"server.Server.Run"}`, `"canon":"Server::Run"`},
		{"code_item_lookup", `{"name":"(*Server).Run"}`, `"canon":"Server::Run"`},
		{"code_item_lookup", `{"name":"fmt.Only"}`, `"code":"not_found"`},
		{"code_item_lookup", `{"name":"util.Only"}`, `internal/a/util.go`},
		{"code_item_lookup", `{"name":"server/server.go:7"}`, `"canon":"Server::Run"`},
		{"code_item_lookup", `{"file":"server.go:7"}`, `"canon":"Server::Run"`},
		{"code_item_lookup", `{"canon":"` + w.root + `/server/server.go#6:8"}`, `"canon":"Server::Run"`},
		{"code_item_lookup", `{"name":"server.Server.Run","file":"server.go"}`, `"canon":"Server::Run"`},
		{"code_item_lookup", `{"name":"Install(Linux)","file":"guide.md"}`, `"items":[{"id":"` + w.root + `/guide.md#5:7"`},
		{"apply_code_edit", `{"edits":[{"file":"guide.md","canon":"Install(Linux)","at":"delete"}]}`, `"ok":true`},
		{"code_item_edges", `{"canon":"server.Server.Run"}`, `"canon":"Server::Run"`},
		{"apply_code_edit", `{"edits":[{"file":"server/server.go","canon":"server.Server.Run","code":"func (s *Server) Run() error { panic(1) }"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"server/server.go","canon":"Run","code":"func (s *Server) Run() error { panic(1) }"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"internal/a/util.go","canon":"Server.Only","code":"func Only() { panic(1) }"}]}`, `"code":"not_found"`},
	})
}

func TestAWrongKindHidesNothing(t *testing.T) {
	w := newWorld(t, slipFiles())
	w.checkSlips([]slip{
		{"code_item_lookup", `{"name":"limit","kind":"var"}`, `"kind":"constant"`},
		{"code_item_lookup", `{"name":"limit","kind":"function","file":"store/set.go"}`, `"kind":"constant"`},
		{"code_item_lookup", `{"name":"Set","kind":"field"}`, `"canon":"Server::Set"`},
		{"code_item_edges", `{"canon":"Server::Run","kind":"func"}`, `"canon":"Server::Run"`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","canon":"limit","kind":"var","code":"const limit = 4"}]}`, `"ok":true`},
		{"code_item_lookup", `{"name":"nothing like it","kind":"func"}`, `"code":"not_found"`},
	})
	if content := string(w.call("code_item_lookup", `{"name":"Set","kind":"field"}`).Content); strings.Contains(content, "store/set.go") {
		t.Errorf("the right kind narrows nothing: %s", content)
	}
}

func TestOverloadsAreListedAndNumbered(t *testing.T) {
	w := newWorld(t, slipFiles())
	edit := func(file, canon string) string {
		return fmt.Sprintf(`{"edits":[{"file":%q,"canon":%q,"at":"delete"}]}`, file, canon)
	}
	w.checkSlips([]slip{
		{"apply_code_edit", edit("JsonWriter.java", "JsonWriter.value#2"), `"ok":true`},
		{"apply_code_edit", edit("JsonWriter.java", "JsonWriter::value#1"), `"ok":true`},
		{"apply_code_edit", edit("JsonWriter.java", "JsonWriter::value"), `"code":"hash_required"`},
		{"apply_code_edit", edit("JsonWriter.java", "JsonWriter::value"), `"signature":"JsonWriter value(boolean value)"`},
		{"apply_code_edit", edit("JsonWriter.java", "JsonWriter::value#4"), `"code":"not_found"`},
		{"apply_code_edit", edit("server.go", "init#2"), `"code":"hash_required"`}, // its signature is not its own
		{"apply_code_edit", edit("Many.java", "Many::put"), `(40; the first 30 are listed)`},
		{"code_item_edges", `{"canon":"put","direction":"callees"}`, `(40; the first 30 are listed)`},
	})
	w.turn = "the second overload"
	w.call("apply_code_edit", edit("JsonWriter.java", "JsonWriter.value#2"))
	text := w.read("src/com/google/gson/stream/JsonWriter.java")
	if strings.Contains(text, "(int value)") || !strings.Contains(text, "(boolean value)") || !strings.Contains(text, "value(String value)") {
		t.Errorf("the wrong overload is deleted:\n%s", text)
	}
}

func TestAnEditsModeFollowsFromItsFields(t *testing.T) {
	w := newWorld(t, slipFiles())
	w.checkSlips([]slip{
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","old":"limit = 3","new":"limit = 4"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","canon":"limit","code":"const limit = 4"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","canon":"limit","at":"delete"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","at":"last","code":"var x int"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"mode":"replace","file":"store/set.go","canon":"limit","code":"const limit = 4"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"mode":"canonical","file":"store/set.go","old":"limit = 3","new":"limit = 4"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","old":"limit = 3","replacement":"limit = 4"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","start_byte":0,"end_byte":0,"replacement":"//"}]}`, `"field":"edits[0].expected_file_hash"`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go"}]}`, `"field":"edits[0].mode"`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","canon":"limit","old":"3","new":"4"}]}`, `"field":"edits[0].mode"`},
		{"apply_code_edit", `{"edits":[{"mode":"replace","file":"store/set.go","canon":"limit","old":"limit = 3","new":"limit = 4"}]}`, `"ok":true`},
		{"apply_code_edit", `{"edits":[{"file":"store/set.go","old":"limit = 3"}]}`, `"field":"edits[0].new"`},
	})
}

func TestBadValuesAreResultsThatSayWhatToDo(t *testing.T) {
	w := newWorld(t, slipFiles())
	w.said = "Only"
	w.checkSlips([]slip{
		{"request_code_context", `{"token_budget":-5}`, `"error":"token_budget is -5","code":"bad_value","field":"token_budget","hint":"send a positive number, or leave it out"`},
		{"request_code_context", `{"hint":" \n"}`, `"query":"Only"`},
		{"search_text", `{"pattern":"x","limit":-1}`, `"code":"bad_value","field":"limit"`},
		{"search_text", `{"pattern":"(x"}`, `"code":"bad_value","field":"pattern"`},
		{"search_text", `{"pattern":"(?<=x)y"}`, `no look-around`},
		{"list_dir", `{"depth":-1}`, `"code":"bad_value","field":"depth"`},
		{"list_dir", `{"limit":-1}`, `"code":"bad_value","field":"limit"`},
		{"code_item_edges", `{"canon":"Only","limit":-1}`, `"code":"bad_value","field":"limit"`},
		{"read_file", `{"file":"server.go","max_bytes":-1}`, `"code":"bad_value","field":"max_bytes"`},
		{"read_file", `{"file":"server.go","start_line":-3}`, `"code":"bad_value","field":"start_line","hint":"count lines from 1"`},
		{"read_file", `{"file":"server.go","start_line":13}`, `"hint":"it has 12 lines"`},
		{"read_file", `{"file":"server.go","start_line":11,"end_line":-1}`, `"start_line":11,"end_line":12`},
		{"code_item_lookup", `{}`, `"code":"bad_value"`},
	})
}
