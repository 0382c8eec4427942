// An OpenAI-compatible model that begins an answer and never ends it, so that
// there is something to stop.
import { createServer } from "node:http";

export class EndlessModel {
  async start() {
    this.hangUp = new Promise((resolve) => (this.hungUp = resolve));
    this.server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      let words = 0;
      const timer = setInterval(() => {
        const delta = { role: "assistant", content: `word${++words} ` };
        const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "endless",
          choices: [{ index: 0, delta, finish_reason: null }] };
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      }, 50);
      response.on("close", () => {
        clearInterval(timer);
        this.hungUp();
      });
    });
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
