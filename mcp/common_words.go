package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/project"
)

// commonFields are the names that clients know for arguments and for fields of results, by the names that the
// project's tools have for them. These are still taken as arguments.
var commonFields = map[string]string{"file": "path", "dir": "path", "canon": "name"}

// phrases are what the project's tools say about their arguments, each with what clients are told.
var phrases = strings.NewReplacer(
	"neither name nor canon is given", "name is missing",
	"send one of them", "send a symbol's name, or its address in the file",
	"canon is missing", "name is missing",
	"narrow with file, kind, or the complete canon", "narrow with path, kind, or the complete name",
	"send the canon, file and kind", "send the name, path and kind",
	"send file to see", "send path to see",
	"use replace or splice", "send old and new",
	"or use at: replace or mode replace", "use at: replace, or send old and new",
	"then splice with its offsets and hash", "then send old and new",
	"this editor can't be queried: these are only the ones that it has reported so far; use run_check to find the others",
	"these are only what an editor with ploke-lsp has reported so far; a build of the project finds the others",
	noForm, "its fields don't tell what is to be done",
	"send the fields of one mode: canon and code, old and new, canon and new_name, or start_byte, end_byte, "+
		"expected_file_hash and replacement",
	"send old and new, name and code, name and new_name, or code alone for a new file",
)

// noForm is said of an edit without a mode, which clients do not know.
const noForm = "mode is missing, and the fields don't tell which one is meant"

var (
	canonWord = lazyregexp.New(`\bcanon\b`)
	// namesakesLine matches the line that says how to tell namesakes apart. Lines of code have numbers.
	namesakesLine = lazyregexp.New(`(?m)^(of \d+ symbols) \(file or canon tells them apart\)`)
)

// inCommonWords returns the answer of a tool with the names that the client knows for arguments. Quoted code and
// names of symbols stay.
func (c *session) inCommonWords(own string, a project.ToolAnswer) project.ToolAnswer {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(a.Content, &fields) != nil {
		return a
	}
	if advise(own, fields) {
		a.Content = encoded(fields, a.Content)
		a.Text = c.tools.Text(own, a.Content)
	}
	a.Text = namesakesLine.ReplaceAllString(a.Text, "$1 (path or name tells them apart)")
	return a
}

// advise changes what a result, or a failure and what it consists of, says about arguments. It reports whether
// anything has changed.
func advise(own string, fields map[string]json.RawMessage) (changed bool) {
	var hint, message, field string
	replace := func(name, old, with string) {
		if old != with {
			fields[name], changed = encoded(with, nil), true
		}
	}
	if json.Unmarshal(fields["hint"], &hint) == nil {
		replace("hint", hint, inHint(own, hint))
	}
	if json.Unmarshal(fields["error"], &message) != nil {
		return changed
	}
	if json.Unmarshal(fields["field"], &field) == nil {
		known := knownPath(own, field)
		if strings.Contains(message, noForm) {
			known = strings.TrimSuffix(known, ".mode")
		}
		replace("field", field, known)
		replace("error", message, inMessage(own, message, field, known))
	}
	var faults []map[string]json.RawMessage
	if json.Unmarshal(fields["faults"], &faults) == nil && len(faults) > 0 {
		for _, fault := range faults {
			changed = advise(own, fault) || changed
		}
		fields["faults"] = encoded(faults, fields["faults"])
	}
	return changed
}

// inMessage returns what is wrong with a field in the words of clients.
func inMessage(own, message, field, known string) string {
	if rest, begins := strings.CutPrefix(message, field+" "); begins {
		message = known + " " + rest
	}
	const asks = "; did you mean `"
	if wrong, meant, guessed := strings.Cut(message, asks); guessed {
		meant, rest, _ := strings.Cut(meant, "`")
		message = wrong + asks + knownPath(own, meant) + "`" + rest
	}
	return phrases.Replace(message)
}

// inHint returns a hint in the words of clients.
func inHint(own, hint string) string {
	const beforeFields = "the fields are "
	list, lists := strings.CutPrefix(hint, beforeFields)
	if !lists {
		return canonWord.ReplaceAllString(phrases.Replace(hint), "name")
	}
	var known []string
	for field := range strings.SplitSeq(list, ", ") {
		if name := knownField(own, field); !slices.Contains(hiddenArguments[own], field) && !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	return beforeFields + strings.Join(known, ", ")
}

// knownPath returns the path of an argument, as in edits[2].file, with the name that clients know.
func knownPath(own, path string) string {
	if outer, field, inside := strings.Cut(path, "."); inside {
		return outer + "." + knownField(own, field)
	}
	return knownField(own, path)
}

// knownField returns the name that clients know for an argument.
func knownField(own, field string) string {
	if own == "request_code_context" && field == "hint" {
		return "query"
	}
	if common, has := commonFields[field]; has {
		return common
	}
	return field
}

// withCommonFields returns a result whose fields have the names that clients know. Where a symbol has its address and
// its last name, the address stays.
func withCommonFields(content json.RawMessage) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return content
	}
	renameFields(value)
	return encoded(value, content)
}

func renameFields(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			renameFields(item)
		}
	case map[string]any:
		for _, item := range value {
			renameFields(item)
		}
		for own, common := range commonFields {
			if field, has := value[own]; has {
				value[common] = field
				delete(value, own)
			}
		}
	}
}

// encoded returns a value as JSON, and fallback if it can't be encoded.
func encoded(value any, fallback json.RawMessage) json.RawMessage {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return fallback
	}
	return bytes.TrimSpace(buffer.Bytes())
}
