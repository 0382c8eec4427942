// An OpenAI-compatible server that answers only requests with the right key. The model
// "shut" does not exist although it is listed.
import { createServer } from "node:http";

export class KeyedModel {
  key = "sk-right-key-1234567890";
  /** The keys of the requests. */
  keys = [];

  async start() {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.host = `127.0.0.1:${this.server.address().port}`;
    return `http://${this.host}/v1`;
  }

  async answer(request, response) {
    const key = (request.headers.authorization ?? "").replace("Bearer ", "");
    this.keys.push(key);
    if (key !== this.key) return refuse(response, 401, `Incorrect API key provided: ${key}`);
    if (request.method === "GET") return void response.setHeader("Content-Type", "application/json").end('{"data":[{"id":"quick"},{"id":"shut"}]}');
    let body = "";
    for await (const data of request.setEncoding("utf8")) body += data;
    if (JSON.parse(body).model === "shut") return refuse(response, 404, "The model `shut` does not exist");
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const chunk = (delta, finish = null) =>
      response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "quick", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    chunk({ role: "assistant", content: "Ready with the key." });
    chunk({}, "stop");
    response.end("data: [DONE]\n\n");
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function refuse(response, status, message) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ error: { message } }));
}
