package client

import (
	"cmp"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
)

// maxProduct is how many characters of the name that a client gives itself are shown.
const maxProduct = 40

// Product is what people call the client, such as Neovim 0.10.
func (pr *Profile) Product() string { return cmp.Or(pr.product, "the editor") }

// productOf returns the name of a client with the first two numbers of its version.
func productOf(info protocol.ClientInfo) string {
	name, version := strings.Replace(info.Name, "Visual Studio Code", "VS Code", 1), ""
	if v, ok := info.Version.Get(); ok {
		numbers := strings.SplitN(v, ".", 3)
		version = strings.Join(numbers[:min(len(numbers), 2)], ".")
	}
	return display.Name(display.Clip(strings.TrimSpace(name+" "+version), maxProduct))
}
