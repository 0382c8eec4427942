"""Types keys into Neovim in a terminal while an answer streams, and measures how long each takes to the screen.

usage: main.py NVIM INIT

A key is a character that nothing else writes. It is on the screen when Neovim has written it to the terminal.
"""

import fcntl
import os
import pty
import random
import select
import statistics
import struct
import subprocess
import sys
import termios
import time

import model

TOKENS, PER_SECOND, MESSAGES = 25_000, 1_000, 200
ROWS, COLUMNS = 40, 150
TARGET = 50  # milliseconds, p95
TIMEOUT = 120  # seconds
PLACES = {"file": "in a file beside the chat", "prompt": "in the prompt of the chat"}


class Terminal:
    """Neovim in a pseudo terminal."""

    def __init__(self, command, environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.seen = b""

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def read(self, seconds):
        """Reads what Neovim writes within this time, at most one chunk."""
        if not select.select([self.fd], [], [], max(seconds, 0))[0]:
            return b""
        data = os.read(self.fd, 1 << 16)
        self.seen = (self.seen + data)[-(1 << 16) :]
        return data

    def wait(self, text, timeout=TIMEOUT):
        """Waits until Neovim writes a text. Returns the seconds that took."""
        begun, wanted = time.monotonic(), text.encode()
        while wanted not in self.seen:
            if time.monotonic() - begun > timeout:
                sys.exit(f"Neovim has not shown {text!r} within {timeout} s")
            self.read(0.5)
        return time.monotonic() - begun

    def idle(self, seconds):
        """Reads on for some time. Returns whether the answer has ended."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)
        return b"ended" in self.seen


def measure(terminal, place):
    """Types while the long answer streams. Returns the times in milliseconds."""
    terminal.seen = b""
    terminal.type(f"\x1b:Bench {place}\r")
    terminal.wait("streams")
    terminal.seen = b""
    terminal.type("A")
    times, number = [], 0
    while not terminal.idle(random.uniform(0.05, 0.15)):
        key = chr(0x2460 + number % 60)  # circled numbers and letters
        number += 1
        terminal.seen = b""
        terminal.type(key)
        times.append(terminal.wait(key) * 1000)
        if number % 20 == 0:
            terminal.type("\x15")  # CTRL-U, so that the line stays short
    terminal.type("\x1b")
    return times


def row(label, times):
    times.sort()
    p95 = times[int(len(times) * 0.95)]
    verdict = "ok" if p95 <= TARGET else "MISSED"
    cells = [statistics.median(times), p95, times[-1], TARGET]
    print(f"{label:<32}" + "".join(f"{cell:8.1f}" for cell in cells) + f" ms  {verdict}, {len(times)} keys", flush=True)


def main():
    nvim, init = sys.argv[1:]
    version = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    server, url = model.serve(TOKENS, PER_SECOND)
    environment = os.environ | {"BENCH_MODEL": url, "BENCH_MESSAGES": str(MESSAGES)}
    terminal = Terminal([nvim, "-u", init, "-i", "NONE", "-n", "greet/greet.go"], environment)
    try:
        terminal.wait("filled")
        print(f"{version}: {TOKENS:,} tokens, {PER_SECOND:,} a second, into {MESSAGES} messages; load {os.getloadavg()[0]:.1f}")
        print(f"{'a key to the screen':<32}" + "".join(f"{name:>8}" for name in ("p50", "p95", "worst", "target")))
        for place, label in PLACES.items():
            row(label, measure(terminal, place))
    finally:
        os.kill(terminal.pid, 15)
        server.terminate()


main()
