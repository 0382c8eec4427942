package lsp

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/rpc"
)

// allocated returns how many bytes do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestNestedArgumentsAreReadOnce counts the bytes that are allocated for arguments of about 1 MB.
func TestNestedArgumentsAreReadOnce(t *testing.T) {
	const size = 1 << 20
	word := `"` + strings.Repeat("x", size) + `"`
	for name, argument := range map[string]string{
		"flat":               word,
		"lists around it":    strings.Repeat("[", 5000) + word + strings.Repeat("]", 5000),
		"lists with spaces":  strings.Repeat("[ \n", 5000) + word + strings.Repeat(" ]", 5000),
		"lists with others":  strings.Repeat(`[1,"a",`, 5000) + word + strings.Repeat(",null]", 5000),
		"lists in an object": `{"a":` + strings.Repeat("[", 5000) + word + strings.Repeat("]", 5000) + "}",
		"many empty lists":   "[" + strings.Repeat("[],", size/3) + "0]",
		"many numbers":       "[" + strings.Repeat("1,", size/2) + "0]",
	} {
		raw := fmt.Sprintf(`{"command":"ploke.ask","arguments":[%s]}`, argument)
		bytes := allocated(func() {
			p, err := rpc.Params[protocol.ExecuteCommandParams](protocol.MethodWorkspaceExecuteCommand, decode, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			splitArguments(p.Arguments)
		})
		if bytes > 500*size {
			t.Errorf("%s: %d bytes are allocated", name, bytes)
		}
	}
}

// TestSplitArguments takes the forms in which clients pass arguments.
func TestSplitArguments(t *testing.T) {
	for _, tt := range []struct {
		arguments     []string
		object, words string
	}{
		{[]string{`"what"`, `"is"`}, "", "what is"},
		{[]string{`["what", ["is", [[]], null, 5, true]]`, "null"}, "", "what is 5 true"},
		{[]string{`[[{"a":[1,2]}],{"b":"]"},"x"]`}, `{"a":[1,2]}`, `{"b":"]"} x`},
		{[]string{`"["`, `["]"]`, `["a,b"]`}, "", "[ ] a,b"},
		{[]string{` [ "a" , "b" ] `, `"c"`}, "", "a b c"},
		{[]string{"[]", "[[]]"}, "", ""},
	} {
		var arguments []protocol.LSPAny
		for _, a := range tt.arguments {
			arguments = append(arguments, protocol.LSPAny(a))
		}
		if object, words := splitArguments(arguments); string(object) != tt.object || words != tt.words {
			t.Errorf("%s: %s, %q, want %s, %q", tt.arguments, object, words, tt.object, tt.words)
		}
	}
}
