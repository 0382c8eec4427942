package mcp_test

import (
	"os"
	"testing"

	"ploke-lsp/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	os.Exit(m.Run())
}
