package problems

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"ploke-lsp/internal/syntax"
)

// maxDataBytes and maxDataDepth bound the texts that are checked as data. The largest take up to half a
// second. Some of the libraries call themselves for each bracket, without a bound.
const (
	maxDataBytes = 512 << 10
	maxDataDepth = 500
)

// A dataCheck returns the first problem of a text in a format, or nil.
type dataCheck func(text []byte) *syntax.Problem

// newInData returns the first error of after in the format of the file at path if before does
// not have it. The checks find one error only. So if before has one, too, another is known to be
// new only if it is further up.
func newInData(path, language string, before, after []byte) []syntax.Problem {
	if !isCheckable(after) || !isCheckable(before) {
		return nil
	}
	check := dataCheckFor(path, language, before)
	if check == nil {
		return nil
	}
	now := firstProblem(check, after)
	if now == nil {
		return nil
	}
	if known := firstProblem(check, before); known != nil && len(before) > 0 {
		added := bytes.Count(after, []byte("\n")) - bytes.Count(before, []byte("\n"))
		if now.Line >= known.Line+min(added, 0) {
			return nil
		}
	}
	now.Line = min(max(now.Line, 1), 1+bytes.Count(bytes.TrimSuffix(after, []byte("\n")), []byte("\n")))
	return []syntax.Problem{*now}
}

func isCheckable(text []byte) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > maxDataDepth {
			return false
		}
	}
	return len(text) <= maxDataBytes
}

// firstProblem runs a check. The checks are libraries for texts that people have written; if one panics on
// what a model has made of such a text, the edit must not fail for it.
func firstProblem(check dataCheck, text []byte) (p *syntax.Problem) {
	defer func() {
		if recover() != nil {
			p = nil
		}
	}()
	return check(bytes.TrimPrefix(text, []byte("\ufeff")))
}

// dataCheckFor returns the check for a file, or nil. A JSON file that had comments or trailing commas
// before may have them.
func dataCheckFor(path, language string, before []byte) dataCheck {
	name, extension := filepath.Base(path), strings.ToLower(filepath.Ext(path))
	switch {
	case name == "go.mod":
		return checkGoMod
	case name == "go.work":
		return checkGoWork
	case language == "toml":
		return checkTOML
	case language == "yaml":
		return checkYAML
	case extension == ".jsonl" || extension == ".ndjson":
		return checkJSONLines
	case takesComments(path) ||
		isJSON(extension) && len(before) > 0 && checkJSON(before) != nil && checkJSONC(before) == nil:
		return checkJSONC
	case isJSON(extension):
		return checkJSON
	}
	return nil
}

func isJSON(extension string) bool {
	return slices.Contains([]string{".json", ".geojson", ".webmanifest"}, extension)
}

// takesComments reports whether the programs that read a file of this name as JSON take comments and trailing commas.
func takesComments(path string) bool {
	name, folder := strings.ToLower(filepath.Base(path)), filepath.Base(filepath.Dir(path))
	extension := filepath.Ext(name)
	switch extension {
	case ".jsonc", ".code-workspace", ".sublime-project", ".sublime-settings":
		return true
	case ".json":
		stem, _, _ := strings.Cut(strings.TrimPrefix(name, "."), ".")
		kind, _, _ := strings.Cut(stem, "-")
		return slices.Contains([]string{".vscode", ".devcontainer", ".zed"}, folder) ||
			slices.Contains([]string{"tsconfig", "jsconfig", "tslint", "devcontainer", "deno", "turbo", "nx", "angular", "eslintrc", "babelrc", "swcrc", "api"}, kind) ||
			slices.Contains([]string{"settings.json", "keybindings.json", "launch.json", "tasks.json", "appsettings.json"}, name)
	}
	return slices.Contains([]string{".babelrc", ".swcrc", ".jshintrc", "bun.lock"}, name)
}

func checkTOML(text []byte) *syntax.Problem {
	var values map[string]any
	var wrong *toml.DecodeError
	if !errors.As(toml.Unmarshal(text, &values), &wrong) {
		return nil
	}
	line, _ := wrong.Position()
	return &syntax.Problem{Line: line, Message: strings.TrimPrefix(wrong.Error(), "toml: ")}
}

// checkJSON takes one value. A name that is twice in an object hides a value. Only "//" may, which stands for comments.
func checkJSON(text []byte) *syntax.Problem {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true))
	err := decoder.SkipValue()
	if wrong, ok := errors.AsType[*jsontext.SyntacticError](err); ok && errors.Is(err, jsontext.ErrDuplicateName) &&
		wrong.JSONPointer.LastToken() == "//" {
		decoder = jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true),
			jsontext.AllowDuplicateNames(true))
		err = decoder.SkipValue()
	}
	if err == nil {
		if _, err = decoder.ReadToken(); err == nil {
			return atByte(text, decoder.InputOffset(), "there is text behind the end of the value")
		}
	}
	return jsonProblem(text, err)
}

func checkJSONLines(text []byte) *syntax.Problem {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	for {
		if err := decoder.SkipValue(); err == io.EOF {
			return nil
		} else if err != nil {
			return jsonProblem(text, err)
		}
	}
}

// jsonProblem returns the problem of a text that a decoder has read.
func jsonProblem(text []byte, err error) *syntax.Problem {
	wrong, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && ok:
		return atByte(text, wrong.ByteOffset, fmt.Sprintf("the name %q is there twice", wrong.JSONPointer.LastToken()))
	case err == io.EOF && len(bytes.TrimSpace(text)) == 0:
		return &syntax.Problem{Line: 1, Message: "a JSON file can't be empty"}
	case err == io.EOF || err == nil:
		return nil
	case !ok:
		return atByte(text, int64(len(text)), err.Error())
	}
	if checkJSONC(text) == nil {
		return atByte(text, wrong.ByteOffset, "this JSON file takes no comments and no trailing commas")
	}
	return atByte(text, wrong.ByteOffset, wrong.Err.Error())
}

// atByte returns a problem at an offset.
func atByte(text []byte, offset int64, message string) *syntax.Problem {
	at := min(int(offset), len(bytes.TrimRight(text, " \t\r\n")))
	return &syntax.Problem{Start: at, End: at, Line: 1 + bytes.Count(text[:at], []byte("\n")), Message: message}
}

// checkJSONC takes comments and trailing commas.
func checkJSONC(text []byte) *syntax.Problem {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	_, err := hujson.Parse(bytes.Clone(text))
	if err == nil {
		return nil
	}
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n != 2 {
		line = 1 + bytes.Count(text, []byte("\n"))
	}
	reason := err
	for inner := errors.Unwrap(reason); inner != nil; inner = errors.Unwrap(reason) {
		reason = inner
	}
	return &syntax.Problem{Line: line, Message: reason.Error()}
}
