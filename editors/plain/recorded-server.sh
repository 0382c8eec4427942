#!/usr/bin/env bash
# Serves an editor, and keeps what both say. Each connection gets a number.
# usage: PLOKE_BINARY=… PLOKE_WIRE=FOLDER recorded-server.sh serve
mkdir -p "$PLOKE_WIRE"
n=1
while ! mkdir "$PLOKE_WIRE/$n" 2>/dev/null; do n=$((n + 1)); done
tee "$PLOKE_WIRE/$n/editor" | "$PLOKE_BINARY" "$@" 2>"$PLOKE_WIRE/$n/log" | tee "$PLOKE_WIRE/$n/server"
