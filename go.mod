module ploke-lsp

go 1.26.0

require (
	dario.cat/mergo v1.0.0
	github.com/Microsoft/go-winio v0.6.2
	github.com/ProtonMail/go-crypto v1.1.6
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/cloudflare/circl v1.6.3
	github.com/coder/websocket v1.8.15
	github.com/cyphar/filepath-securejoin v0.6.1
	github.com/emirpasic/gods v1.18.1
	github.com/git-pkgs/gitignore v1.1.0
	github.com/go-git/gcfg v1.5.1-0.20230307220236-3a3c6141e376
	github.com/go-git/go-billy/v5 v5.9.2
	github.com/go-git/go-git/v5 v5.19.3
	github.com/go-json-experiment/json v0.0.0-20260623181947-01eb4420fa68
	github.com/golang/groupcache v0.0.0-20241129210726-2c02b8208cf8
	github.com/google/go-cmp v0.7.0
	github.com/google/jsonschema-go v0.4.3
	github.com/google/uuid v1.6.0
	github.com/jbenet/go-context v0.0.0-20150711004518-d14ea06fba99
	github.com/kevinburke/ssh_config v1.2.0
	github.com/mattn/go-sqlite3 v1.14.52
	github.com/openai/openai-go/v3 v3.95.0
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/pjbgf/sha1cd v0.7.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/sergi/go-diff v1.3.2-0.20230802210424-5b0b94c5c0d3
	github.com/skeema/knownhosts v1.3.1
	github.com/smacker/go-tree-sitter v0.0.0-20240827094217-dd81d9e9be82
	github.com/tidwall/gjson v1.20.0
	github.com/tidwall/match v1.1.1
	github.com/tidwall/pretty v1.2.1
	github.com/tidwall/sjson v1.2.5
	github.com/xanzy/ssh-agent v0.3.3
	go.lsp.dev/jsonrpc2 v1.0.1
	go.lsp.dev/protocol v1.0.1
	go.lsp.dev/uri v1.0.1
	golang.org/x/crypto v0.57.0
	golang.org/x/net v0.60.0
	golang.org/x/sync v0.24.0
	golang.org/x/sys v0.48.0
	gopkg.in/warnings.v0 v0.1.2
)

require (
	github.com/gofrs/flock v0.13.1 // indirect
	golang.org/x/tools v0.45.0 // indirect
)
