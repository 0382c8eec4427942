package tools

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools/wording"
)

// otherNames are the names under which the tools of well-known coding agents take what a field of
// ours takes, in the form of [plainName]. They are accepted, but not in the schemas. A name that
// stands for something else in some of those tools, such as offset, is not among them.
var otherNames = map[string][]string{
	"file":       {"path", "filepath", "filename", "targetfile", "absolutepath", "relativepath", "relativeworkspacepath", "uri", "oldpath"},
	"to":         {"newpath", "destination", "newfile"},
	"path":       {"paths", "dir", "directory", "folder", "file", "filepath", "searchpath", "targetdirectory", "targetdirectories"},
	"dir":        {"path", "directory", "dirpath", "directorypath", "folder", "targetdirectory", "relativeworkspacepath"},
	"content":    {"contents", "text", "filetext", "filecontent", "codecontent", "newcontent"},
	"old":        {"oldstring", "oldstr", "oldtext", "search"},
	"new":        {"newstring", "newstr", "newtext"},
	"code":       {"newcode", "newcontent", "content", "contents", "filetext", "filecontent", "text"},
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
	"reason":     {"explanation", "instruction", "instructions", "description"},
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
var idleFields = []string{"shouldreadentirefile", "explanation", "toolsummary", "toolexplanation", "taskprogress", "requiresapproval", "ignore",
	"bypassgitignore", "respectgitignore", "waitforpreviouscalls", "securityrisk", "filetype"}

// fieldNamed returns the field of s that an unknown name stands for: the one that has it as its
// plain name, or the first that has it as another name. It returns "" if there is none, or if name
// is a field of s itself.
func fieldNamed(s *jsonschema.Schema, name string) string {
	if s.Properties[name] != nil {
		return ""
	}
	plain := plainName(name)
	for _, field := range s.PropertyOrder {
		if plainName(field) == plain {
			return field
		}
	}
	for _, field := range s.PropertyOrder {
		if slices.Contains(otherNames[field], plain) {
			return field
		}
	}
	return ""
}

// knows reports whether name is a field of s, or stands for one.
func knows(s *jsonschema.Schema, name string) bool {
	return s.Properties[name] != nil || fieldNamed(s, name) != ""
}

// plainName returns a name without what differs between startLine, start_line and StartLine.
func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// relatedFields are names that stand for something similar to a field of ours, but not the same.
var relatedFields = map[string]string{
	"line": "start_line",
	"path": "include", "type": "kind", "recursive": "depth", "relation": "direction", "newname": "to",
	"command": "name", "maxtokens": "token_budget", "tokens": "token_budget",
}

// meantField returns the field of s that an unknown name most likely means, or "".
func meantField(s *jsonschema.Schema, name string) string {
	if field := fieldNamed(s, name); field != "" {
		return field
	}
	if field := relatedFields[plainName(name)]; s.Properties[field] != nil {
		return field
	}
	best := wording.Nearest(slices.Sorted(maps.Keys(s.Properties)),
		func(field string) float64 { return wording.Similarity(name, field) }, 1)
	const alike = 0.5
	if len(best) > 0 && wording.Similarity(name, best[0]) >= alike {
		return best[0]
	}
	return ""
}
