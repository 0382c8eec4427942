package acp

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/project"
	"ploke-lsp/session/records"
)

// message returns the text and the attachments of a prompt. A linked or embedded file of the
// workspace is attached, and the text has its path in the link's place. What can't be attached is
// refused before anything is stored, so that the client can give the message back to the person.
func (s *openSession) message(ctx context.Context,
	blocks []protocol.ContentBlock) (text string, attachments []records.Attachment, err error) {
	c := contentReader{session: s}
	for _, b := range blocks {
		var attached *records.Attachment
		switch {
		case b.Type == "text":
			c.text.WriteString(b.Text)
		case b.Type == "resource_link":
			attached, err = c.attachLink(ctx, b)
		case b.Type == "resource" && b.Resource != nil && b.Resource.Blob == "":
			attached, err = c.attachResource(*b.Resource)
		default:
			err = fmt.Errorf("the message has content of the kind %q, and only text and files of text are sent to a "+
				"model", b.Type)
		}
		if err != nil {
			return "", nil, invalidParams("%v", err)
		}
		if attached != nil {
			attachments = append(attachments, *attached)
		}
	}
	if len(attachments) > project.MaxAttachments {
		return "", nil, invalidParams("the message has %d attachments: attach at most %d, such as their folder",
			len(attachments), project.MaxAttachments)
	}
	return c.text.String(), attachments, nil
}

// A contentReader puts the text of a message together.
type contentReader struct {
	session *openSession
	text    strings.Builder
}

// attachLink attaches the file that a link names, and mentions it in the text.
func (c *contentReader) attachLink(ctx context.Context, b protocol.ContentBlock) (*records.Attachment, error) {
	name, lines, isFile := splitURI(b.URI)
	if !isFile {
		fmt.Fprintf(&c.text, "[%s](%s)", b.Name, b.URI)
		return nil, nil
	}
	if path, err := c.session.folder.project.Workspace.Resolve(name); err == nil {
		c.session.folder.frontEnd.files.refresh(ctx, c.session, path)
	}
	a, err := c.session.folder.project.Attachments.Read(ctx, name, lines)
	c.text.WriteString(c.mention(a))
	return &a, err
}

// attachResource attaches a text that the client has put into the message. The text of what is no
// file of the workspace becomes a part of the message.
func (c *contentReader) attachResource(r protocol.ResourceContents) (*records.Attachment, error) {
	name, lines, isFile := splitURI(r.URI)
	if _, err := c.session.folder.project.Workspace.Resolve(name); !isFile || err != nil {
		fmt.Fprintf(&c.text, "\n%s\n%s\n", r.URI, fenced(r.Text))
		return nil, nil
	}
	first := 0
	if lines != nil {
		first = lines.First
	}
	a, err := c.session.folder.project.Attachments.FromText(name, r.Text, first)
	c.text.WriteString(c.mention(a))
	return &a, err
}

// mention returns how the text of a message names an attachment.
func (c *contentReader) mention(a records.Attachment) string {
	name := "@" + c.session.folder.project.Workspace.Rel(a.Path)
	if a.Whole {
		return name
	}
	return fmt.Sprintf("%s:%d-%d", name, a.StartLine, a.EndLine)
}

// lineFragment is a fragment that names lines, as the clients write it: L5, L5:10, L5-10 and L5-L10.
var lineFragment = lazyregexp.New(`^L(\d{1,9})(?:[:-]L?(\d{1,9}))?$`)

// splitURI returns the file that a URI names, without its query and fragment, and the lines that the
// fragment names, nil if it names none.
func splitURI(raw string) (name string, lines *project.Lines, isFile bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "file" {
		return raw, nil, false
	}
	if m := lineFragment.FindStringSubmatch(u.Fragment); m != nil {
		first, _ := strconv.Atoi(m[1])
		last := first
		if m[2] != "" {
			last, _ = strconv.Atoi(m[2])
		}
		lines = &project.Lines{First: first, Last: last}
	}
	u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = "", false, "", ""
	return u.String(), lines, true
}

// fenced returns a text as a block of code of Markdown.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}
