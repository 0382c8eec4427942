package embedded

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
)

// secretFile matches paths of files that hold secrets by convention. No instruction edits them.
var secretFile = lazyregexp.New(`(?i)(?:^|/)(?:\.env(?:\..*)?|[^/]*\.(?:pem|key|p12|pfx|jks|keystore)|id_(?:rsa|` +
	`dsa|ecdsa|ed25519)|` +
	`\.?(?:credentials|secrets?)(?:\.(?:ya?ml|json|toml|ini|txt|properties))?|\.npmrc|\.pypirc|\.netrc)$`)

func refuseSecret(file string) step {
	return answerWith("I did not change " + code(file) + ": by its name, it holds secrets.\n")
}

// replaceIn replaces a text wherever it stands in a folder, or in comments of the workspace.
type replaceIn struct {
	old, text string
	dir       string // "" for comments
}

const (
	replacedPlaces = 200 // maximum number of places that are replaced at once
	replacedFiles  = 50
)

func (x replaceIn) next(p progress) step {
	searches, applied := p.of("search_text"), p.of("apply_code_edit")
	if len(searches) == 0 {
		look := args{"pattern": regexp.QuoteMeta(x.old), "limit": replacedPlaces}
		if x.dir != "" {
			look["path"] = []string{x.dir}
		}
		return step{calls: []llm.Call{callTool("search_text", look)}}
	}
	found := decode[countedText](&searches[0])
	if !searches[0].OK {
		return p.failed("The search failed", searches[0])
	}
	places, files := x.places(found)
	where := x.where()
	switch {
	case len(places) == 0:
		return answerWith(fmt.Sprintf("I changed nothing: %s does not stand in %s that I may edit.\n", code(x.old), where))
	case found.Omitted > 0 || len(files) > replacedFiles:
		return answerWith(fmt.Sprintf("I changed nothing: %s stands in %d lines of %s, more than I change at once. Name "+
			"a smaller folder or a file.\n",
			code(x.old), len(found.Matches)+found.Omitted, where))
	case len(applied) == 0:
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": x.edits(places, files), "reason": "replace text in " + where})}}
	}
	note := ""
	if left := len(found.Matches) - len(places); left > 0 {
		note = fmt.Sprintf("%s with it stay as they are.\n", count(left, "further line"))
	}
	return p.staged("replace "+code(x.old)+" in "+where, applied[0], note)
}

func (x replaceIn) where() string {
	if x.dir == "" {
		return "comments"
	}
	return x.dir
}

// places returns the lines that are meant, and their files.
func (x replaceIn) places(found countedText) (places []edge, files []string) {
	seen := map[string]bool{}
	for _, m := range found.Matches {
		if secretFile.MatchString(m.File) || x.dir == "" && !inComment(m, x.old) {
			continue
		}
		places = append(places, m)
		if !seen[m.File] {
			seen[m.File] = true
			files = append(files, m.File)
		}
	}
	return places, files
}

// inComment reports whether a line is a comment as a whole and has the text once, so that its place is certain.
func inComment(m edge, old string) bool {
	line := strings.TrimSpace(m.Text)
	marks := []string{"//", "/*", "* ", "--", "<!--"}
	switch filepath.Ext(m.File) {
	case ".py", ".rb", ".sh", ".bash", ".yaml", ".yml", ".toml", ".pl", ".r", ".jl", ".ex", ".exs", ".tf":
		marks = []string{"#"}
	case ".md", ".txt", ".json", ".html":
		return false
	}
	for _, mark := range marks {
		if strings.HasPrefix(line, mark) {
			return strings.Count(line, old) == 1
		}
	}
	return false
}

// edits returns one edit for each file of a folder, or for each comment.
func (x replaceIn) edits(places []edge, files []string) (edits []args) {
	if x.dir != "" {
		for _, file := range files {
			edits = append(edits, args{"mode": "replace", "file": file, "old": x.old, "new": x.text, "replace_all": true})
		}
		return edits
	}
	for _, m := range places {
		edits = append(edits, args{"mode": "splice", "file": m.File, "start_byte": m.StartByte, "end_byte": m.EndByte,
			"expected_file_hash": m.FileHash, "replacement": x.text})
	}
	return edits
}

// remove deletes a symbol, and names what still uses it.
type remove struct{ target }

func (x remove) next(p progress) step {
	found, calls := x.resolve(p)
	edges, applied := p.of("code_item_edges"), p.of("apply_code_edit")
	if calls != nil {
		return step{calls: calls}
	}
	if len(found.items) == 0 {
		return answerWith("I deleted nothing. " + p.missing(x.target, found.failure))
	}
	meant := distinct(public(found.items))
	item := meant[0]
	switch {
	case len(meant)+found.omitted > 1:
		return answerWith(fmt.Sprintf("I deleted nothing: %s may mean one of %d. Say which one, as in "+
			"%s.\n\n%s", code(x.String()),
			len(meant)+found.omitted, code("delete "+
				""+dotted(item.Canon)), p.listSymbols(lookupResult{Items: meant, Omitted: found.omitted})))
	case secretFile.MatchString(item.File):
		return refuseSecret(item.File)
	case len(edges) == 0:
		return step{calls: []llm.Call{relations["references"].call(item, foundEdges)}}
	case len(applied) == 0:
		edit := args{"mode": "canonical", "file": item.File, "canon": item.Canon, "kind": item.Kind, "at": "delete"}
		return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": []args{edit}, "reason": "delete " +
			"" + item.Canon})}}
	}
	return p.staged("delete "+code(item.Canon), applied[0], p.usedBy(item, edges[0]))
}

// codeMarks are in most lines of a program, and in hardly any description of one.
var codeMarks = lazyregexp.New(`[=(){};<>#]|^(?:package|import|use|module|class|def|fn|func|export) `)

// createUnquoted makes a file of a text without quotes if the text is code, and not a description of it.
func createUnquoted(m []string) (instruction, bool) {
	file, text := bare(m[0]), m[1]
	return create{file, withNewline(text)}, fileName.MatchString(file) && codeMarks.MatchString(text)
}
