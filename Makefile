# make demo    build, and run the main job on real code
# make check   look over the code and run the quick tests, with fakes only: in 90 seconds
# make test    install what the tests need, and run them all; says where the time went
# make soak    repeat what tests repeat SOAK times as often, for hours
# make test-platforms   run the tests for Windows and arm64, and check the types for macOS
# make release        build all packages into dist/
# make test-packages  install each package in a clean root and ask a question
# make fuzz    look for inputs that break promises, for FUZZ seconds a target
# make bench   measure the index against its floors and its peers
# make performance     write the measured figures to docs/performance.md
# make bench-editors   measure what a person feels in the editors
SHELL := /bin/bash
BIN := bin/ploke-lsp
ARTIFACTS := $(CURDIR)/artifacts
NODE := $(CURDIR)/build/node
TESTBED := $(CURDIR)/build/vscode-testbed
HELIX_PREFIX := $(CURDIR)/build/helix
# Debian 12 has Neovim 0.7, Debian 13 has 0.10, and the suite after that has what is new
NVIM_STABLE := $(CURDIR)/build/neovim-trixie
NVIM_NEW := $(CURDIR)/build/neovim-forky
MOCK_MODEL := $(CURDIR)/build/mock-model
ACP_CLIENT := $(CURDIR)/build/acp-client
MCP_CLIENT := $(CURDIR)/build/mcp-client
REAL_SERVERS := $(CURDIR)/build/real-servers
CHECK_TOOLS := $(CURDIR)/build/check-tools
PEERS := $(CURDIR)/build/peers
WINE := $(CURDIR)/build/wine
# BENCH is for the benchmark: -quick, -only cold, -copies 0, -grow 1000000, …
BENCH ?=
FUZZ ?= 600
SOAK ?= 10
# what the phases of "make test" took
TIMES := $(ARTIFACTS)/times
PHASE = go run ./scripts/timing run $(TIMES)
TEST_NVIM = editors/nvim/test/run.sh $(CURDIR)/$(BIN)
TEST_PLAIN = editors/plain/run.sh
TEST_VSCODE = editors/vscode/e2e/run.sh $(CURDIR)/$(BIN) $(ARTIFACTS)
# DIR is what the demo looks at.
DIR ?= $(shell go env GOROOT)/src

# where install-node.sh puts Node.js, if the machine has none that fits
export PATH := $(NODE)/node_modules/.bin:$(PATH)

# A test that can't run fails, see internal/testbed.
TEST_ALL := env PLOKE_TEST_ALL=1 PLOKE_TEST_MOCK_MODEL=$(MOCK_MODEL) PLOKE_TEST_ACP_CLIENT=$(ACP_CLIENT) PLOKE_TEST_MCP_CLIENT=$(MCP_CLIENT) PLOKE_TEST_SERVERS=$(REAL_SERVERS) PLOKE_TEST_CHECK_TOOLS=$(CHECK_TOOLS)

.PHONY: build demo check test test-platforms test-types test-setup test-go test-race test-long test-servers soak test-disks test-fuzz fuzz test-editors test-nvim test-vscode test-vscode-latest test-helix test-emacs test-plain-nvim lint audit bench performance bench-editors bench-nvim bench-vscode bench-retrieval clean

build: $(BIN)

# What is run here and by the tests has its C code, which is SQLite and the grammars, compiled in less time. It
# parses as fast. What is measured and released has the compiler's usual optimization.
export CGO_CFLAGS = -O1
bench bench-nvim bench-vscode bench-retrieval: export CGO_CFLAGS = -O2 -g

# What was compiled in one checkout serves another one. Where Go is, is not in it then, and tests read Go's source.
export GOFLAGS := $(shell go env GOFLAGS) -trimpath
export GOROOT := $(shell go env GOROOT)

$(BIN): FORCE
	@mkdir -p $(@D)
	@scripts/build.sh $@
FORCE:

demo: build
	@scripts/demo.sh $(BIN) "$(DIR)"

check:
	@begun=$$(date +%s); $(MAKE) --no-print-directory lint test-licences test-libraries && \
	env -u PLOKE_TEST_ALL scripts/in-memory.sh go test -short ./... && \
	echo "make check: $$(($$(date +%s) - begun)) s"

test: forget-times
	@$(PHASE) setup $(MAKE) --no-print-directory test-setup
	@$(PHASE) lint $(MAKE) --no-print-directory lint
	@$(PHASE) types $(MAKE) --no-print-directory test-types
	@$(PHASE) licences $(MAKE) --no-print-directory test-licences test-libraries audit
	@$(MAKE) --no-print-directory test-go
	@$(MAKE) --no-print-directory test-servers
	@$(MAKE) --no-print-directory test-fuzz
	@$(MAKE) --no-print-directory test-editors
	@go run ./scripts/timing table $(TIMES)

.PHONY: forget-times
forget-times:
	@go run ./scripts/timing forget $(TIMES)

# What is fetched and what is compiled take turns.
test-setup:
	@mkdir -p build
	@scripts/check-space.sh 4 build "$${TMPDIR:-/tmp}"
	scripts/install-test-packages.sh
	scripts/install-node.sh $(NODE)
	@$(MAKE) --no-print-directory -j3 --output-sync=target setup-clients setup-servers setup-vscode setup-editors

.PHONY: setup-clients setup-servers setup-vscode setup-editors
setup-clients:
	scripts/install-mock-model.sh $(MOCK_MODEL)
	scripts/install-acp-client.sh $(ACP_CLIENT)
	scripts/install-mcp-client.sh $(MCP_CLIENT)
	scripts/install-check-tools.sh $(CHECK_TOOLS)

setup-servers:
	scripts/install-real-servers.sh $(REAL_SERVERS)

setup-vscode:
	scripts/install-vscode-testbed.sh $(TESTBED)

setup-editors:
	scripts/install-helix.sh $(HELIX_PREFIX)
	scripts/install-neovim.sh $(NVIM_STABLE) trixie
	scripts/install-neovim.sh $(NVIM_NEW) forky

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "gofmt: $$unformatted"; exit 1; }
	go vet ./...
	cd e2e/libraries && go vet ./...
	scripts/check-imports.sh
	scripts/check-skips.sh
	scripts/check-waits.sh
	scripts/check-reads.sh
	@go run ./scripts/linelength $$(git ls-files '*.go')
	@go run ./scripts/sizelimits $$(git ls-files '*.go')

# everything inside of the program has a licence that is allowed
test-licences:
	cd release && go vet ./inside && go test ./inside

# what libraries of others say of our tokens, of what is exported, and of Markdown that is made safe
test-libraries:
	cd e2e/libraries && go test .

# known vulnerabilities of the extension's dependencies, where the registry tells them
audit:
	scripts/npm-audit.sh editors/vscode

test-go: test-race test-long

# All tests run under the race detector, but those that repeat something do so less often
# with -short, and those that only compute or move much data don't run. A process need not
# wait for a second before it exits, to report races.
test-race:
	$(PHASE) race $(TEST_ALL) GORACE=atexit_sleep_ms=10 scripts/in-memory.sh go test -json -race -short -timeout 20m $$(go list ./... | grep -v /e2e/)

# These run without it, and on the disk.
test-long:
	$(PHASE) long $(TEST_ALL) go test -json -timeout 20m $$(go run ./scripts/longtests)

# Servers of others use all of the processor, so nothing runs beside them.
test-servers:
	$(PHASE) servers $(TEST_ALL) go test -json -timeout 20m ./e2e/servers

# The long tests, with more repetitions.
soak:
	$(TEST_ALL) PLOKE_TEST_SOAK=$(SOAK) go test -timeout 24h $$(go run ./scripts/longtests)

# What the tests say of disks that ignore the case of names and have no hard links, and of those on which files share
# blocks, on such disks.
test-disks:
	scripts/install-test-packages.sh btrfs-progs exfat-fuse exfatprogs
	PLOKE_TEST_DISKS=1 go test -count=1 $$(git grep -lE 'testbed\.(Folding|Cloning)Disk\(' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')

test-fuzz:
	$(PHASE) fuzz scripts/fuzz.sh 5 2

fuzz:
	scripts/fuzz.sh $(FUZZ) 2

# One after the other, and nothing beside them: what a person sees of an editor depends on time.
test-editors: build
	@$(MAKE) --no-print-directory -j1 -k test-vscode test-nvim test-helix test-emacs test-plain-nvim

# The oldest and the newest run all tests, the one between them those of what the plugin does otherwise in it.
test-nvim: build
	$(PHASE) nvim-old $(TEST_NVIM) $(ARTIFACTS)
	NVIM=$(NVIM_STABLE)/bin/nvim $(PHASE) nvim-stable $(TEST_NVIM) $(ARTIFACTS)/nvim-stable basics version health transcript review create
	NVIM=$(NVIM_NEW)/bin/nvim $(PHASE) nvim-new $(TEST_NVIM) $(ARTIFACTS)/nvim-new
	NVIM=$(NVIM_NEW)/bin/nvim $(PHASE) picture scripts/picture.sh $(BIN) $(ARTIFACTS)/ploke.png

test-vscode: build
	$(PHASE) vscode $(TEST_VSCODE)

# the newest workbench that runs here
test-vscode-latest: build
	VSCODE=1.139 $(TEST_VSCODE)

# editors without a plugin
test-helix: build
	$(PHASE) helix $(TEST_PLAIN) helix $(CURDIR)/$(BIN) $(ARTIFACTS)

test-emacs: build
	$(PHASE) emacs $(TEST_PLAIN) emacs $(CURDIR)/$(BIN) $(ARTIFACTS)
	$(PHASE) emacs-mux $(TEST_PLAIN) emacs-mux $(CURDIR)/$(BIN) $(ARTIFACTS)

# what "ploke-lsp setup neovim" writes must work in all of them
test-plain-nvim: build
	$(PHASE) nvim-plain $(TEST_PLAIN) neovim $(CURDIR)/$(BIN) $(ARTIFACTS)
	NVIM=$(NVIM_STABLE)/bin/nvim $(PHASE) nvim-plain-stable $(TEST_PLAIN) neovim $(CURDIR)/$(BIN) $(ARTIFACTS)/nvim-stable
	NVIM=$(NVIM_NEW)/bin/nvim $(PHASE) nvim-plain-new $(TEST_PLAIN) neovim $(CURDIR)/$(BIN) $(ARTIFACTS)/nvim-new

# docs/platforms.md says what this shows, and what it can't.
test-platforms: test-types
	scripts/install-test-packages.sh gcc-mingw-w64-x86-64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
	scripts/install-wine.sh $(WINE)
	scripts/test-platform.sh windows-amd64 $(WINE)/bin/wine
	scripts/test-platform.sh linux-arm64 $(CURDIR)/scripts/qemu-arm64.sh

test-types:
	go run ./scripts/typecheck linux/arm64 windows/amd64 darwin/amd64 darwin/arm64

bench: build
	scripts/install-bench-peers.sh $(PEERS)
	go build -o build/bench ./bench
	build/bench -bin $(BIN) -peers $(PEERS) -commit "$$(git describe --always --abbrev=12 --dirty=-modified --exclude='*')" $(BENCH)

# the figures of docs/performance.md, from bench/results
performance:
	go run ./bench -page docs/performance.md

bench-editors: bench-nvim bench-vscode

bench-nvim: build
	editors/nvim/bench/run.sh $(CURDIR)/$(BIN)
	NVIM=$(NVIM_STABLE)/bin/nvim editors/nvim/bench/run.sh $(CURDIR)/$(BIN)
	NVIM=$(NVIM_NEW)/bin/nvim editors/nvim/bench/run.sh $(CURDIR)/$(BIN)

bench-vscode: build
	editors/vscode/bench/run.sh $(BIN)

# REPOS and CASES are folders, see bench/retrieval/main.go. The vectors of all cases would take hours, so these repositories
# are measured with vectors, which are kept for the next run.
VECTOR_REPOS := spf13/cobra rack/rack
bench-retrieval:
	go build -o build/retrieval ./bench/retrieval
	scripts/install-real-servers.sh $(REAL_SERVERS)
	build/retrieval $(RETRIEVAL) -shares -packed -lines -results $(ARTIFACTS)/retrieval
	scripts/with-vectors.sh $(REAL_SERVERS) sh -c 'build/retrieval $(RETRIEVAL) $(VECTOR_REPOS:%=-repo %) -vectors $$VECTORS_URL \
		-vector-model multilingual-e5-small -results $(ARTIFACTS)/retrieval-vectors'
	scripts/bench-edges.sh "$(REPOS)" build/edges-work $(REAL_SERVERS)/npm editors/vscode/node_modules/typescript/lib/tsserver.js

RETRIEVAL = -repos "$(REPOS)" -cases "$(CASES)" -work build/retrieval-work \
	-commit "$$(git describe --always --abbrev=40 --dirty=-modified --exclude='*')"

clean:
	rm -rf bin build artifacts

# the pictures of README.md and docs: the real program in a real Neovim and in VS Code's workbench
.PHONY: pictures
pictures: build
	NVIM=$(NVIM_NEW)/bin/nvim scripts/picture.sh $(BIN) docs/ploke.png
	editors/vscode/e2e/run.sh $(CURDIR)/$(BIN) $(ARTIFACTS) pictures tour
	cp $(ARTIFACTS)/vscode-readme-answer.png docs/vscode-answer.png
	cp $(ARTIFACTS)/vscode-readme-review.png docs/vscode-review.png
	cp $(ARTIFACTS)/vscode-readme-review-list.png docs/vscode-review-list.png
	for name in first-minute mention code-actions new-file ledger; do \
		cp $(ARTIFACTS)/vscode-tour-$$name.png docs/vscode-$$name.png; done

# the files of a release, from what is committed, into dist/: see docs/release.md
PLATFORMS ?= linux-amd64,linux-arm64,windows-amd64
.PHONY: release
release:
	rm -rf dist
	cd release && go run . build -platforms $(PLATFORMS)
	cd release && go run . finish

# Each package is installed where nothing of ploke-lsp is, and answers. Building again for the comparison takes minutes.
.PHONY: test-packages test-licences test-libraries
test-packages:
	scripts/install-test-packages.sh debootstrap rpm
	scripts/install-node.sh $(NODE)
	scripts/install-vscode-testbed.sh $(TESTBED)
	$(MAKE) --no-print-directory release PLATFORMS=linux-amd64
	cd release && go test ./...
	scripts/test-packages.sh dist build/package-root
	scripts/test-reproducible.sh dist
