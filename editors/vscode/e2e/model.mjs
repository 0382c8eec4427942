// A scripted OpenAI-compatible server with several models. "endless" never ends its
// answer. "broken" breaks off its first answer when the test calls breakOff, and
// completes the second. "manual" answers with the question, and ends or breaks off
// when the test calls goOn or cut; to a question that begins with "check" or
// "diagnose" it calls a tool first. "said" answers with what the test has set as said.
// The list of models leaves "manual" and "said" out.
import { createServer } from "node:http";

/** The tool calls of the manual model, by the first word of the question. */
const tools = {
  check: { name: "run_check", arguments: '{"name":"hello"}' },
  diagnose: { name: "get_diagnostics", arguments: "{}" },
};

export class Model {
  /** The questions that the manual model got. */
  asked = [];
  /** The result of the last tool call. */
  read = undefined;
  /** The answer of the model "said". */
  said = "";

  async start() {
    this.hangUp = new Promise((resolve) => (this.hungUp = resolve));
    this.server = createServer(async (request, response) => {
      if (request.method === "GET") return void response.end('{"data":[{"id":"endless"},{"id":"broken"}]}'); // the list of models
      const { model, messages } = JSON.parse(await body(request));
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      if (model === "endless") this.answerEndlessly(response);
      else if (model === "manual") this.answerManually(response, messages);
      else if (model === "said") this.answerAtOnce(response);
      else if (!this.breakOff) this.answerHalf(response);
      else this.answerWhole(response);
    });
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  answerEndlessly(response) {
    let words = 0;
    const timer = setInterval(() => write(response, `word${++words} `), 50);
    response.on("close", () => {
      clearInterval(timer);
      this.hungUp();
    });
  }

  answerHalf(response) {
    write(response, `Half an answer:\n${snippet("greet/name.go", 9, "type Name struct {")}and an open\n\`\`\`go\nblock`);
    this.breakOff = () => response.destroy();
  }

  answerWhole(response) {
    write(response, "A whole ");
    write(response, `answer:\n${snippet("greet/greet.go", 8, "func Greeting(n Name) string {")}`, "stop");
    response.end("data: [DONE]\n\n");
  }

  answerManually(response, messages) {
    const { content } = messages.findLast(({ role }) => role === "user");
    const question = content.split("\n").findLast((line) => line.trim());
    const tool = tools[/^\w+/.exec(question)[0]];
    this.read = messages.findLast(({ role }) => role === "tool")?.content;
    if (tool && !this.read) {
      const call = { index: 0, id: "c1", type: "function", function: tool };
      write(response, "", "tool_calls", [call]);
      return response.end("data: [DONE]\n\n");
    }
    this.asked.push(question);
    write(response, `Answer to ${question}`);
    this.cut = () => response.destroy();
    this.goOn = () => {
      write(response, "", "stop");
      response.end("data: [DONE]\n\n");
    };
  }

  answerAtOnce(response) {
    write(response, this.said, "stop");
    response.end("data: [DONE]\n\n");
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function body(request) {
  let text = "";
  for await (const data of request.setEncoding("utf8")) text += data;
  return text;
}

function write(response, content, finish = null, toolCalls = undefined) {
  const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "any",
    choices: [{ index: 0, delta: { role: "assistant", content, tool_calls: toolCalls }, finish_reason: finish }] };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function snippet(file, line, code) {
  return `<code="${file}" #${line}:${line}>\n${code}\n</code>\n`;
}
