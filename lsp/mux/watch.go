package mux

import (
	"encoding/json"
	"regexp"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/document"
)

// A watcher is what a server wants to know of files.
type watcher struct {
	pattern *regexp.Regexp // of paths in URIs
	kinds   int            // bits: 1 created, 2 changed, 4 deleted
}

const allKinds = 7

// maxPattern is the length of the longest pattern in bytes. A longer one matches everything.
const maxPattern = 4 << 10

// watchersOf reads the options of a registration.
func watchersOf(options json.RawMessage) (all []watcher) {
	for _, raw := range listOf(objectOf(options)["watchers"]) {
		o := objectOf(raw)
		w := watcher{kinds: allKinds}
		_ = json.Unmarshal(o["kind"], &w.kinds) // all if it is not there
		base, glob := "", ""
		if json.Unmarshal(o["globPattern"], &glob) != nil {
			relative := objectOf(o["globPattern"])
			_ = json.Unmarshal(relative["pattern"], &glob) // without one nothing matches
			if json.Unmarshal(relative["baseUri"], &base) != nil {
				_ = json.Unmarshal(objectOf(relative["baseUri"])["uri"], &base) // a workspace folder
			}
		}
		w.pattern = compileGlob(pathOf(base), glob)
		all = append(all, w)
	}
	return all
}

// pathOf returns the path of a URI as patterns match it.
func pathOf(u string) string {
	if u == "" {
		return ""
	}
	return strings.TrimSuffix(strings.ReplaceAll(document.FilePath(uri.URI(u)), `\`, "/"), "/")
}

// compileGlob returns a pattern of LSP as a regular expression of whole paths below a folder, "" for all paths.
func compileGlob(base, glob string) *regexp.Regexp {
	expression, ok := globExpression(glob)
	switch {
	case !ok:
		expression = ".*"
	case base != "":
		expression = regexp.QuoteMeta(base) + "/" + expression
	case !strings.HasPrefix(glob, "/") && !strings.HasPrefix(glob, "**"):
		expression = "(?:.*/)?" + expression // of a folder that is open
	}
	compiled, err := regexp.Compile("^" + expression + "$")
	if err != nil {
		return regexp.MustCompile("") // what can't be read is told of everything
	}
	return compiled
}

// globExpression returns a glob as a regular expression; ok is false if it can't be read.
func globExpression(glob string) (expression string, ok bool) {
	if len(glob) > maxPattern {
		return "", false
	}
	var b strings.Builder
	braces := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{':
			braces++
			b.WriteString("(?:")
		case c == '}' && braces > 0:
			braces--
			b.WriteString(")")
		case c == ',' && braces > 0:
			b.WriteString("|")
		case c == '[':
			end := strings.IndexByte(glob[i:], ']')
			if end < 2 {
				return "", false
			}
			set := strings.ReplaceAll(glob[i+1:i+end], `\`, `\\`)
			b.WriteString("[" + strings.Replace(set, "!", "^", min(1, strings.Count(set[:1], "!"))) + "]")
			i += end
		default:
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	return b.String(), braces == 0
}

// passWatched tells the inner server of the files that it watches: the editor tells of those of both at once.
func (m *Mux) passWatched(params jsonrpc2.RawMessage) {
	all := objectOf(json.RawMessage(params))
	changes := listOf(all["changes"])
	kept := []json.RawMessage{}
	for _, raw := range changes {
		var change struct {
			URI  string `json:"uri"`
			Type int    `json:"type"`
		}
		if json.Unmarshal(raw, &change) == nil && !m.options.Own(change.URI) && m.inner.can.watches(change.URI, change.Type) {
			kept = append(kept, raw)
		}
	}
	if len(kept) == 0 {
		return
	}
	if len(kept) < len(changes) {
		all["changes"] = mustMarshal(kept)
		params = jsonrpc2.RawMessage(all.raw())
	}
	m.inner.pass(protocol.MethodWorkspaceDidChangeWatchedFiles, params)
}

// watches reports whether a server wants to know what has happened to a file: 1 created, 2 changed, 3 deleted.
func (c *capabilities) watches(u string, kind int) bool {
	path := pathOf(u)
	for _, r := range c.registered {
		for _, w := range r.watchers {
			if kind > 0 && w.kinds&(1<<(kind-1)) != 0 && w.pattern.MatchString(path) {
				return true
			}
		}
	}
	return false
}
