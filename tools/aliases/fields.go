package aliases

import (
	"slices"
	"strings"

	"ploke-lsp/tools/wording"
)

// fieldAliases are the names under which the tools of well-known coding agents take what a field of
// ours takes, as plain names.
var fieldAliases = map[string][]string{
	"file": {"path", "filepath", "filename", "targetfile", "absolutepath", "relativepath", "relativeworkspacepath", "uri", "oldpath"},
	"to":   {"newpath", "destination", "newfile"},
	"path": {"paths", "dir", "directory", "folder", "file", "filepath", "searchpath", "targetdirectory", "targetdirectories"},
	"dir": {"path", "directory", "dirpath", "directorypath", "folder", "targetdirectory",
		"relativeworkspacepath", "cwd", "workdir", "workingdir", "workingdirectory", "cd"},
	"content":    {"contents", "text", "filetext", "filecontent", "codecontent", "newcontent", "body"},
	"old":        {"oldstring", "oldstr", "oldtext", "search"},
	"new":        {"newstring", "newstr", "newtext"},
	"code":       {"newcode", "newcontent", "content", "contents", "filetext", "filecontent", "text", "body"},
	"canon":      {"symbol", "symbolname", "name", "address"},
	"name":       {"symbol", "symbolname", "query", "identifier"},
	"start_line": {"startlineoneindexed", "linestart", "firstline", "fromline"},
	"end_line":   {"endlineoneindexedinclusive", "endlineoneindexed", "lineend", "lastline", "toline"},
	"pattern":    {"query", "regex", "regexp"},
	"include":    {"includepattern", "includes", "glob", "globs", "filepattern"},
	"exclude":    {"excludepattern", "excludes", "ignore"},
	"limit":      {"maxresults", "headlimit", "maxmatches", "m"},
	"context":    {"c", "contextlines"},
	"files_only": {"l", "fileswithmatches", "filesonly"},
	"depth":      {"maxdepth"},
	"hint":       {"query", "question"},
	"reason":     {"explanation", "instruction", "instructions", "description", "justification"},
	"command":    {"cmd", "commandline", "script", "shellcommand"},
	"timeout":    {"timeoutseconds", "timeoutsecs", "timeoutsec"},
	"edits":      {"changes", "edit"},
	"count":      {"expectedcount", "expectedreplacements", "expectedoccurrences"},
	"overwrite":  {"force", "replace", "replaceexisting", "overwriteexisting", "allowoverwrite"},
	"call_id":    {"id", "toolcallid"},

	"ignore_case":    {"i", "caseinsensitive"},
	"fixed_strings":  {"f", "fixedstring", "literal"},
	"whole_word":     {"w", "wordregexp", "matchwholeword", "wholewords"},
	"before":         {"b", "beforecontext", "contextbefore"},
	"after":          {"a", "aftercontext", "contextafter"},
	"line_numbers":   {"n", "linenumber"},
	"case_sensitive": {"iscasesensitive", "matchcase"},
	"is_regexp":      {"isregex", "useregex", "regex", "regexp"},
}

// idleFields are fields of other agents' tools that change nothing here, as plain names.
var idleFields = []string{"shouldreadentirefile", "explanation", "toolsummary", "toolexplanation", "taskprogress",
	"requiresapproval", "ignore", "bypassgitignore", "respectgitignore", "waitforpreviouscalls", "securityrisk", "filetype",
	"create", "isnewfile"}

// Ignorable reports whether a field of another agent's tool changes nothing here.
func Ignorable(field string) bool { return slices.Contains(idleFields, Plain(field)) }

// OfField returns the aliases of a field, as plain names. The caller must not modify them.
func OfField(field string) []string { return fieldAliases[field] }

// Field returns which of a tool's own fields an unknown name stands for: the one that has it as its
// plain name, or the first that has it as an alias. It returns "" if there is none, or if name is one
// of them itself.
func Field(own []string, name string) string {
	if slices.Contains(own, name) {
		return ""
	}
	plain := Plain(name)
	for _, field := range own {
		if Plain(field) == plain {
			return field
		}
	}
	for _, field := range own {
		if slices.Contains(fieldAliases[field], plain) {
			return field
		}
	}
	return ""
}

// Plain returns a name without what differs between startLine, start_line and StartLine.
func Plain(name string) string {
	return strings.ToLower(separators.Replace(name))
}

var separators = strings.NewReplacer("_", "", "-", "")

// relatedFields are names that stand for something similar to a field of ours, but not the same.
var relatedFields = map[string]string{
	"line": "start_line",
	"path": "include", "type": "kind", "recursive": "depth", "relation": "direction", "newname": "to",
	"command": "name", "maxtokens": "token_budget", "tokens": "token_budget",
}

// Closest returns which of a tool's own fields an unknown name most likely means, or "". It is for
// advice: what it returns need not be what was meant.
func Closest(own []string, name string) string {
	if field := Field(own, name); field != "" {
		return field
	}
	if field := relatedFields[Plain(name)]; slices.Contains(own, field) {
		return field
	}
	best := wording.Nearest(slices.Sorted(slices.Values(own)),
		func(field string) float64 { return wording.Similarity(name, field) }, 1)
	const alike = 0.5
	if len(best) > 0 && wording.Similarity(name, best[0]) >= alike {
		return best[0]
	}
	return ""
}
