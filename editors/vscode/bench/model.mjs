// A scripted OpenAI-compatible server that answers with Markdown, at the pace of the
// wall clock: a slow reader gets larger pieces, not a longer answer.
import { createServer } from "node:http";
import { markdown } from "./markdown.mjs";

const TICK_MS = 20;

export class Model {
  /** What the next answers are: their length, and how many characters a second has; 0 sends the whole answer at once. */
  answer = { length: 400, perSecond: 0 };

  async start() {
    this.server = createServer((request, response) => {
      if (request.method === "GET") return void response.end('{"data":[{"id":"writer"}]}'); // the list of models
      request.resume();
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      this.write(response, markdown(this.answer.length), this.answer.perSecond);
    });
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  write(response, text, perSecond) {
    const begun = performance.now();
    let sent = 0;
    const timer = setInterval(() => next(), TICK_MS);
    response.on("close", () => clearInterval(timer));
    const next = () => {
      const due = perSecond === 0 ? text.length : Math.floor(((performance.now() - begun) * perSecond) / 1000);
      send(response, text.slice(sent, due));
      sent = due;
      if (sent < text.length) return;
      clearInterval(timer);
      send(response, "", "stop");
      response.end("data: [DONE]\n\n");
    };
    next();
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function send(response, content, finish = null) {
  const choice = { index: 0, delta: { role: "assistant", content }, finish_reason: finish };
  const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "writer", choices: [choice] };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
