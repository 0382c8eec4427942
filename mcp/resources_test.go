package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// resource reads a resource that has one text.
func (c *client) resource(uri string) string {
	c.t.Helper()
	read, err := c.ReadResource(c.t.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(read.Contents) != 1 || read.CacheScope != "private" || read.Contents[0].URI != uri {
		c.t.Fatalf("%+v", read)
	}
	return read.Contents[0].Text
}

// listed returns the addresses of the resources that are listed.
func (c *client) listed() (all []string) {
	c.t.Helper()
	for r, err := range c.Resources(c.t.Context(), nil) {
		if err != nil {
			c.t.Fatal(err)
		}
		all = append(all, r.URI)
	}
	return all
}

func TestProposalsAreResources(t *testing.T) {
	w := newWorld(t, nil)
	changed := make(chan struct{}, 1)
	c := w.connect(&sdk.ClientOptions{ResourceListChangedHandler: func(context.Context,
		*sdk.ResourceListChangedRequest) {
		changed <- struct{}{}
	}})
	if got := c.listed(); len(got) != 0 {
		t.Fatalf("a new session lists %q", got)
	}
	_, content := c.call("edit", edit("greet.go", `"hello "`, `"hi "`))
	<-changed
	uri := "ploke://proposals/" + content["proposal_id"].(string)
	if got := c.listed(); len(got) != 1 || got[0] != uri {
		t.Fatalf("listed are %q, want %s", got, uri)
	}
	contains(t, c.resource(uri), "--- a/greet.go\n+++ b/greet.go\n", `-func Hello(name string) string { return "hello "`,
		`+func Hello(name string) string { return "hi "`)

	other := w.connect(nil)
	if got := other.listed(); len(got) != 0 {
		t.Errorf("another session lists %q", got)
	}
	if _, err := other.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil ||
		!strings.Contains(err.Error(), "this session has no such proposal") {
		t.Errorf("another session reads it: %v", err)
	}
}

func TestOnlyTheLatestProposalsAreListed(t *testing.T) {
	w := newWorld(t, applying)
	c := w.connect(nil)
	var last string
	for i := range 22 {
		_, content := c.call("edit", map[string]any{"edits": []any{map[string]any{"file": fmt.Sprintf("f%d.txt", i), "code": "text\n"}}})
		last = content["proposal_id"].(string)
	}
	if got := c.listed(); len(got) != 20 || !strings.Contains(strings.Join(got, " "), last) {
		t.Errorf("%d are listed: %q", len(got), got)
	}
}

func TestFilesAreResources(t *testing.T) {
	w := newWorld(t, nil)
	w.write("a folder/50%.go", "package a\n\nfunc Half() {}\n")
	w.write(".env", "KEY=abc\n")
	c := w.connect(nil)
	contains(t, c.resource("ploke://files/a%20folder/50%25.go"), "  3  func Half() {}")
	c.call("edit", edit("greet.go", `"hello "`, `"hi "`))
	contains(t, c.resource("ploke://files/greet.go"), `return "hi "`)
	for uri, want := range map[string]string{
		"ploke://files/nothing.go":         "there is no file nothing.go",
		"ploke://files/.env":               ".env",
		"ploke://files/../outside.go":      "outside",
		"ploke://files/%2Fetc/passwd":      "/etc/passwd",
		"ploke://files/a%ZZ":               "",
		"ploke://proposals/nothing":        "no such proposal",
		"ploke://proposals/../files/a.go":  "",
		"ploke://other/greet.go":           "",
		"file:///etc/passwd":               "",
		"ploke://files@evil.example/a.go":  "",
		"ploke://files/greet.go?query=x#y": "",
	} {
		read, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", uri, read, err)
		}
	}
}

// TestSecretsInResourcesAreHidden has secrets that the rules find only in the whole file.
func TestSecretsInResourcesAreHidden(t *testing.T) {
	const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n" +
		"MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\nNMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ\n" +
		"qgtzJ6GR3eqoYSW9b9UMvkBpZODSctWSNGj3P7jRFDO5VoTwCQAWbFnOjDfH5Ulg\n-----END PRIVATE KEY-----\n"
	w := newWorld(t, nil)
	w.write("key.txt", key+"the end\n")
	c := w.connect(nil)
	_, content := c.call("edit", edit("key.txt", "the end", "the very end"))
	for _, uri := range []string{"ploke://proposals/" + content["proposal_id"].(string), "ploke://files/key.txt"} {
		text := c.resource(uri)
		contains(t, text, "very end", "PLOKE_SECRET_")
		for _, part := range []string{"NMoSfm76oqFv", "qgtzJ6GR3eqo"} {
			if strings.Contains(text, part) {
				t.Errorf("%s has %s:\n%s", uri, part, text)
			}
		}
	}
}
