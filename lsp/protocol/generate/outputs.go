package generate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const origin = "lsp/protocol by go generate ./lsp/protocol"

// outputs are the files that are made from the protocol, by their paths from the root of the
// repository.
var outputs = map[string]func(p *Protocol, now []byte) ([]byte, error){
	"docs/protocol.md":                      (*Protocol).page,
	"lsp/protocol/schema/ploke.schema.json": func(p *Protocol, _ []byte) ([]byte, error) { return p.Schema() },
	"editors/vscode/src/protocol.ts":        func(p *Protocol, _ []byte) ([]byte, error) { return p.TypeScript(), nil },
	"editors/nvim/lua/ploke/protocol.lua":   func(p *Protocol, _ []byte) ([]byte, error) { return p.Lua(), nil },
}

// stale returns the files that differ from what the protocol says, with what they should be.
func (p *Protocol) stale(root string) (map[string][]byte, error) {
	stale := map[string][]byte{}
	for path, make := range outputs {
		now, err := os.ReadFile(filepath.Join(root, path))
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		want, err := make(p, now)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if string(now) != string(want) {
			stale[path] = want
		}
	}
	return stale, nil
}

// page returns docs/protocol.md: what is written by hand, and then the reference.
func (p *Protocol) page(now []byte) ([]byte, error) {
	const begin, end = "<!-- generated from " + origin + " -->\n", "<!-- end -->\n"
	before, rest, begins := strings.Cut(string(now), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return nil, fmt.Errorf("it has no place for the reference between %q and %q", begin, end)
	}
	return []byte(before + begin + p.Markdown() + end + after), nil
}
