"""A model server on loopback that streams a short or a long answer, at the pace of the wall clock."""

import http.server
import json
import multiprocessing
import time

SHORT_TOKENS = 80

# A paragraph with a list and a code block; a token has about four characters.
PIECE = """The handler reads the request, and `Greeting` makes the text. It is called once for each name.

- The name may be empty, and then the **whole world** is greeted.
- The language is that of the program's user, see `hello`.

```go
func Greeting(name string) string {
	if name == "" {
		name = "world"
	}
	return hello() + ", " + name + "!"
}
```

"""


def tokens(count):
    text = PIECE * (count * 4 // len(PIECE) + 1)
    return [text[i : i + 4] for i in range(0, count * 4, 4)]


def event(content, finish=None):
    choice = {"index": 0, "delta": {"role": "assistant", "content": content}, "finish_reason": finish}
    return b"data: " + json.dumps({"object": "chat.completion.chunk", "choices": [choice]}).encode() + b"\n\n"


class Handler(http.server.BaseHTTPRequestHandler):
    long_tokens = 0
    per_second = 0

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        question = [m["content"] for m in json.loads(body)["messages"] if m["role"] == "user"][-1]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if "the long answer" in question:
            self.stream(tokens(self.long_tokens))
        else:
            self.wfile.write(b"".join(event(token) for token in tokens(SHORT_TOKENS)))
        self.wfile.write(event("", "stop") + b"data: [DONE]\n\n")

    def stream(self, left):
        begun, sent = time.monotonic(), 0
        while sent < len(left):
            due = min(len(left), int((time.monotonic() - begun) * self.per_second) + 1)
            self.wfile.write(b"".join(event(token) for token in left[sent:due]))
            self.wfile.flush()
            sent = due
            time.sleep(0.5 / self.per_second)


def serve(long_tokens, per_second):
    """Serves in a process of its own. Returns the process and the base URL."""
    Handler.long_tokens, Handler.per_second = long_tokens, per_second
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    process = multiprocessing.get_context("fork").Process(target=server.serve_forever, daemon=True)
    process.start()
    return process, f"http://127.0.0.1:{server.server_port}/v1"
