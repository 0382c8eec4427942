package mcpclient

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxTools         = 512     // of one server
	maxPages         = 64      // of its list of tools
	maxToolName      = 64      // bytes; OpenAI takes no longer ones
	maxDescription   = 4 << 10 // bytes that a model reads
	maxMisfitsListed = 3
)

// toolList is what a server says of its tools, as far as it can be used.
type toolList struct {
	tools   []definition // sorted by name
	misfits []string     // why other tools can't be used
}

// definition is a tool as its server describes it.
type definition struct {
	name        string // at the server
	full        string // for the model: server__tool
	description string // at most maxDescription bytes
	schema      json.RawMessage
	hash        string // of all that the server says of it
}

// find returns the definition of the tool with this name at the server.
func (l *toolList) find(name string) (definition, bool) {
	i := slices.IndexFunc(l.tools, func(d definition) bool { return d.name == name })
	if i < 0 {
		return definition{}, false
	}
	return l.tools[i], true
}

// listTools asks a server for its tools. A list whose pages repeat, or that breaks off, is used as far as it goes.
func listTools(ctx context.Context, session *mcp.ClientSession, server string) (*toolList, error) {
	l := &toolList{}
	seen := map[string]bool{"": true}
	for cursor := ""; ; {
		answer, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if len(seen) > 1 && refusal(err) != nil {
			l.misfits = append(l.misfits, "a page of its list of tools is missing")
			break
		}
		if err != nil {
			return nil, err
		}
		more := l.addAll(server, answer.Tools)
		if cursor = answer.NextCursor; !more || seen[cursor] || len(l.tools)+len(l.misfits) > maxTools {
			break
		}
		if len(seen) == maxPages {
			l.misfits = append(l.misfits, fmt.Sprintf("its list of tools has more than %d pages", maxPages))
			break
		}
		seen[cursor] = true
	}
	slices.SortFunc(l.tools, func(a, b definition) int { return strings.Compare(a.full, b.full) })
	if more := len(l.tools) - maxTools; more > 0 {
		l.tools = l.tools[:maxTools]
		l.misfits = append(l.misfits, fmt.Sprintf("of its tools only the first %d are used", maxTools))
	}
	return l, nil
}

// addAll adds the tools of a page. It reports whether another page may bring more, which it does
// not if all tools are known.
func (l *toolList) addAll(server string, page []*mcp.Tool) (more bool) {
	more = len(page) == 0
	for _, t := range page {
		if t != nil && l.add(server, t) {
			more = true
		}
	}
	return more
}

// add adds a tool, if it can be used. It reports whether the tool is a new one.
func (l *toolList) add(server string, t *mcp.Tool) bool {
	d, err := define(server, t)
	if err == nil && slices.ContainsFunc(l.tools, func(other definition) bool { return other.hash == d.hash }) {
		return false
	}
	if err == nil && slices.ContainsFunc(l.tools, func(other definition) bool { return other.full == d.full }) {
		err = errors.New("another tool has the same name")
	}
	if err != nil {
		l.misfits = append(l.misfits, fmt.Sprintf("%q: %v", shorten(t.Name, 60), err))
		return true
	}
	l.tools = append(l.tools, d)
	return true
}

func define(server string, t *mcp.Tool) (definition, error) {
	said, err := json.Marshal(t) // before the schema is changed
	if err != nil {
		return definition{}, err
	}
	schema, err := argumentsSchema(t.InputSchema)
	if err != nil {
		return definition{}, err
	}
	if t.Name == "" {
		return definition{}, errors.New("it has no name")
	}
	description := cmp.Or(t.Description, t.Title)
	return definition{name: t.Name, full: fullName(server, t.Name),
		description: cut(strings.TrimSpace(description), maxDescription),
		schema:      schema, hash: fmt.Sprintf("%x", sha256.Sum256(said))}, nil
}

// fullName returns the name by which a model knows a tool. A name that is too long ends with a part of
// its hash.
func fullName(server, tool string) string {
	name := server + "__" + notInNames.ReplaceAllString(tool, "_")
	if len(name) <= maxToolName {
		return name
	}
	return name[:maxToolName-9] + fmt.Sprintf("_%x", sha256.Sum256([]byte(tool)))[:9]
}

// misfitsText says which tools of a server are left out; "" if none is.
func (l *toolList) misfitsText(server string) string {
	if len(l.misfits) == 0 {
		return ""
	}
	shown := l.misfits[:min(len(l.misfits), maxMisfitsListed)]
	text := fmt.Sprintf("some of the tools of the MCP server %s can't be used: %s", server, strings.Join(shown, "; "))
	if more := len(l.misfits) - len(shown); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
