package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// newcomer lists questions of a person who is new here, the file that the listings alone suggest to open first, and
// what it must declare to be the right one.
var newcomer = []struct{ question, file, declares string }{
	{"add a tool", "tools/tools.go", `set\.tools = `},
	{"add a provider", "session/llm/provider.go", `type Provider interface`},
	{"add a language", "internal/syntax/languages.go", `var languages = `},
	{"add a setting", "internal/config/settings.go", `type Settings struct`},
	{"add a code action", "lsp/code_action.go", `actionProviders\(\)`},
	{"add a method of ACP", "acp/agent.go", `rpc\.OnRequest\(protocol\.MethodSessionNew`},
	{"add a tool of MCP", "mcp/tool_table.go", `var toolNames = `},
	{"add a command of Neovim", "editors/nvim/lua/ploke/command.lua", `subcommands = `},
	{"find the debounce", "project/indexing/debounce.go", `type Debouncer struct`},
	{"find the retry policy", "session/retry.go", `func backOff\(`},
	{"find the constants of BM25", "index/query/bm25.go", `\bk1 += `},
	{"find the merge of segments", "index/shards/segment_merge.go", `mergeDueSegments`},
	{"find the weights of the ranking", "index/query/weights.go", `type channelWeights struct`},
	{"find the compaction of the window", "session/compaction.go", `\) compact\(`},
	{"find the rules of secrets", "internal/secretscan/rules.go", `var checks = `},
	{"find a remembered permission", "session/permission.go", `\) recall\(`},
	{"find how a message is stored", "session/records/message.go", `type Message struct`},
}

// TestANewcomerFindsFiles checks that each question is answered by the file whose name says so.
func TestANewcomerFindsFiles(t *testing.T) {
	for _, q := range newcomer {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(q.file)))
		if err != nil {
			t.Errorf("%s: %v", q.question, err)
		} else if !regexp.MustCompile(q.declares).Match(text) {
			t.Errorf("%s: %s does not have %s", q.question, q.file, q.declares)
		}
	}
}
