package mcp_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestVersionsOfTheProtocol asks the person in a call, in versions that differ in how that is done, over
// both transports.
func TestVersionsOfTheProtocol(t *testing.T) {
	w := newWorld(t, applying)
	url, _ := w.serveHTTP()
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, transport := range []string{"stdio", "http"} {
			t.Run(version+" "+transport, func(t *testing.T) {
				w.write("Makefile", makefile)
				options := &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					return &sdk.ElicitResult{Action: "accept"}, nil
				}}
				var transported sdk.Transport = &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: authorized{}}}
				if transport == "stdio" {
					transported = w.streams()
				}
				session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).
					Connect(t.Context(), transported, &sdk.ClientSessionOptions{ProtocolVersion: version})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				if got := session.InitializeResult().ProtocolVersion; got != version {
					t.Errorf("the version is %s", got)
				}
				c := newClient(t, session)
				text, first := c.call("edit", edit("Makefile", "echo old", "echo new"))
				contains(t, text, "the person agreed")
				contains(t, w.read("Makefile"), "echo new")
				text, _ = c.call("status", nil)
				contains(t, text, first["proposal_id"].(string)+" verified")
			})
		}
	}
}

// streams serves a client over two streams, whose side of it is returned.
func (w *world) streams() sdk.Transport {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- w.server.ServeStdio(w.t.Context(), fromClient, toClient) }()
	w.t.Cleanup(func() {
		toServer.Close()
		if err := <-served; err != nil {
			w.t.Error(err)
		}
	})
	return &sdk.IOTransport{Reader: fromServer, Writer: toServer}
}
