module ploke-lsp/internal/display/rendered

go 1.26.4

require (
	github.com/yuin/goldmark v1.7.13
	ploke-lsp v0.0.0
)

replace ploke-lsp => ../../..
