package mcp

import (
	"encoding/json"
	"io"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/internal/o200k"
)

// maxTools and maxTokens bound what each client's model may be shown before anything is asked.
const (
	maxTools  = 11
	maxTokens = 3000
)

func TestToolsAreFewAndSmall(t *testing.T) {
	for _, apply := range []bool{false, true} {
		var list []*sdk.Tool
		for _, offered := range offered(apply, false) {
			tool := offered.declaration
			list = append(list, tool)
			if tool.Title == "" || tool.Description == "" || tool.Annotations == nil || tool.InputSchema == nil || tool.OutputSchema == nil {
				t.Errorf("%s is not described: %+v", tool.Name, tool)
			}
			if reads := tool.Name != "edit" && tool.Name != "move" && tool.Name != "delete"; tool.Annotations.ReadOnlyHint != reads {
				t.Errorf("%s: read-only %v", tool.Name, tool.Annotations.ReadOnlyHint)
			}
		}
		encoded, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if n := o200k.Count(string(encoded)); len(list) > maxTools || n > maxTokens {
			t.Errorf("%d tools have %d tokens", len(list), n)
		} else {
			t.Logf("%d tools have %d tokens", len(list), n)
		}
	}
}

// TestToolsAreListedBeforeTheProjectIsOpen lists the tools of a server whose project is never open.
func TestToolsAreListedBeforeTheProjectIsOpen(t *testing.T) {
	s := &Server{opened: make(chan struct{})}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.ServeStdio(t.Context(), fromClient, toClient) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != maxTools {
		t.Errorf("%v, %v", list, err)
	}
	session.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
