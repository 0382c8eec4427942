package lsp

import (
	"context"
	"regexp"
	"strconv"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
)

// mention is a file in a message, such as @lib/x.go or @lib/x.go#L10-L20.
var mention = regexp.MustCompile(`(?:^|\s)@([^\s#]+[^\s#.,;:!?)])(?:#L(\d{1,9})(?:-L?(\d{1,9}))?)?`)

// mentionOf returns how a message mentions lines of a file.
func mentionOf(rel string, first, last int) string {
	text := "@" + rel + "#L" + strconv.Itoa(first)
	if last > first {
		text += "-L" + strconv.Itoa(last)
	}
	return text
}

// mentionedFiles returns the files of the workspace that a message mentions. Other words behind an @ are just
// text.
func (s *Server) mentionedFiles(ctx context.Context, text string) (files []ploke.Attachment) {
	seen := map[string]bool{}
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		path, err := s.project.Workspace.Resolve(m[1])
		if err != nil || seen[m[0]] {
			continue
		}
		seen[m[0]] = true
		if _, err := s.project.Workspace.Read(ctx, path); err != nil {
			continue
		}
		file := ploke.Attachment{URI: uri.File(path)}
		if first, err := strconv.Atoi(m[2]); err == nil {
			last, _ := strconv.Atoi(m[3])
			file.Range = &protocol.Range{
				Start: protocol.Position{Line: uint32(max(first, 1) - 1)},
				End:   protocol.Position{Line: uint32(max(first, last, 1) - 1)},
			}
		}
		files = append(files, file)
	}
	return files
}
