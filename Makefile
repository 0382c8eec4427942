# make demo    build, and run the main job on real code
# make test    install what the tests need, and run them all
# make fuzz    look for inputs that break promises, for FUZZ seconds a target
# make bench   measure the index against its floors and its peers
SHELL := /bin/bash
BIN := bin/ploke-lsp
ARTIFACTS := $(CURDIR)/artifacts
NODE := $(CURDIR)/build/node
TESTBED := $(CURDIR)/build/vscode-testbed
MOCK_MODEL := $(CURDIR)/build/mock-model
PEERS := $(CURDIR)/build/peers
# BENCH is for the benchmark: -quick, -only cold, -copies 0, -json FILE, …
BENCH ?=
FUZZ ?= 600
# DIR is what the demo looks at.
DIR ?= $(shell go env GOROOT)/src

# where install-node.sh puts Node.js, if the machine has none that fits
export PATH := $(NODE)/node_modules/.bin:$(PATH)

.PHONY: build demo test test-setup test-go test-fuzz fuzz test-nvim test-vscode lint bench bench-retrieval clean

build: $(BIN)

$(BIN): FORCE
	@mkdir -p $(@D)
	go build -o $@ ./cmd/ploke-lsp
FORCE:

demo: build
	@scripts/demo.sh $(BIN) "$(DIR)"

test: test-setup lint test-go test-fuzz test-nvim test-vscode

test-setup:
	scripts/install-test-packages.sh
	scripts/install-node.sh $(NODE)
	scripts/install-mock-model.sh $(MOCK_MODEL)
	scripts/install-vscode-testbed.sh $(TESTBED)

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "gofmt: $$unformatted"; exit 1; }
	go vet ./...
	scripts/check-imports.sh

test-go:
	PLOKE_TEST_MOCK_MODEL=$(MOCK_MODEL) go test -race -timeout 40m ./...
	go test -timeout 40m -run RipgrepFinds ./tools # the race detector would take minutes over it

test-fuzz:
	scripts/fuzz.sh 60

fuzz:
	scripts/fuzz.sh $(FUZZ)

test-nvim: build
	editors/nvim/test/run.sh $(CURDIR)/$(BIN) $(ARTIFACTS)

test-vscode: build
	editors/vscode/e2e/run.sh $(CURDIR)/$(BIN) $(ARTIFACTS)

bench: build
	scripts/install-bench-peers.sh $(PEERS)
	go build -o build/bench ./bench
	build/bench -bin $(BIN) -peers $(PEERS) $(BENCH)

bench-retrieval:
	go build -o build/retrieval ./bench/retrieval
	build/retrieval -repo "$(REPO)" -cases "$(CASES)" -query subject -shares -packed
	build/retrieval -repo "$(REPO)" -cases "$(CASES)" -query full -shares

clean:
	rm -rf bin build artifacts

# the README's picture: the real program in a real Neovim
.PHONY: picture
picture: build
	scripts/picture.sh $(BIN) docs/ploke.png
