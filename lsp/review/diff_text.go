package review

import (
	"errors"
	"fmt"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
)

const (
	diffFence  = "```diff"
	fenceClose = "```"
)

// proposalHelp is what a proposal's document says about itself.
const proposalHelp = "Code actions on a block accept or reject it, and elsewhere everything.\n" +
	"You can edit the lines that begin with `+`: the proposal becomes what you write."

// proposalText returns the document of a proposal: a unified diff in Markdown, with a fenced block for each
// file of which something waits.
func proposalText(p *edits.Proposal, views []edits.FileView) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n", display.SafeMarkdown(strings.Trim(quotedTitle(p), `"`)))
	if reason := strings.TrimSpace(strings.TrimPrefix(display.Escape(p.Reason), p.Title)); reason != "" {
		fmt.Fprintf(&out, "%s\n\n", display.SafeMarkdown(reason))
	}
	if len(views) == 0 {
		fmt.Fprintf(&out, "Nothing of it waits any more: it is %s.\n", p.Status())
		return out.String()
	}
	fmt.Fprintf(&out, "%s\n", proposalHelp)
	for i := range views {
		fmt.Fprintf(&out, "\n%s\n%s%s\n", diffFence, views[i].Patch(), fenceClose)
	}
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

// A proposalSection is the part of a proposal's document about one file, as it reads now.
type proposalSection struct {
	view   *edits.FileView
	patch  *edits.Patch
	lines  []string // of the whole document
	header int      // 0-based number of the first line in the fence
	body   int      // of the first block
	end    int      // of the line after the last block
}

// after returns the text that the section gives the file.
func (s *proposalSection) after() (string, error) {
	text, err := s.patch.Edited(s.lines[s.body:s.end])
	var problem *edits.PatchError
	if errors.As(err, &problem) {
		return "", &edits.PatchError{Line: s.body + problem.Line, Reason: problem.Reason}
	}
	return text, err
}

// block returns the lines from one "@@" line to the next around a line of the document.
func (s *proposalSection) block(line int) (first int, lines []string) {
	for i := min(line, s.end-1); i >= s.body; i-- {
		if !strings.HasPrefix(s.lines[i], "@@") {
			continue
		}
		end := i + 1
		for end < s.end && !strings.HasPrefix(s.lines[end], "@@") {
			end++
		}
		return i, s.lines[i:end]
	}
	return 0, nil
}

// blocks returns the numbers of the lines at which blocks begin.
func (s *proposalSection) blocks() (lines []int) {
	for i := s.body; i < s.end; i++ {
		if strings.HasPrefix(s.lines[i], "@@") {
			lines = append(lines, i)
		}
	}
	return lines
}

// readProposalText finds the sections of a proposal's document. The error is an
// *edits.PatchError: a fence is not closed, or its file is not one of the views.
func readProposalText(text string, views []edits.FileView) ([]proposalSection, error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var sections []proposalSection
	for i := 0; i < len(lines); i++ {
		if lines[i] != diffFence {
			continue
		}
		s := proposalSection{lines: lines, header: i + 1, body: i + 1}
		for s.end = i + 1; s.end < len(lines) && lines[s.end] != fenceClose; s.end++ {
		}
		if s.end == len(lines) {
			return nil, &edits.PatchError{Line: i, Reason: "the block that begins here does not end; restore its last line, ```"}
		}
		for s.body < s.end && !strings.HasPrefix(lines[s.body], "@@") {
			s.body++
		}
		if err := s.findFile(views); err != nil {
			return nil, err
		}
		sections = append(sections, s)
		i = s.end
	}
	return sections, nil
}

// findFile finds the file that the section's header names.
func (s *proposalSection) findFile(views []edits.FileView) error {
	header := strings.Join(s.lines[s.header:s.body], "\n")
	for i := range views {
		if patch := views[i].Patch(); strings.TrimSuffix(patch.Header, "\n") == header {
			s.view, s.patch = &views[i], patch
			return nil
		}
	}
	return &edits.PatchError{Line: s.header,
		Reason: "the lines above the first @@ name no file of which something waits; " +
			"restore them, or show the diff of the proposal again"}
}
