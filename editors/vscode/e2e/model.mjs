// A scripted OpenAI-compatible server with several models. "endless" never ends its
// answer. "broken" breaks off its first answer when the test calls breakOff, and
// completes the second. "manual" answers with the question, and ends or breaks off
// when the test calls goOn or cut; to a question that begins with "check" or
// "diagnose" it calls a tool first. "rich" thinks, calls two tools side by side and
// answers with rich Markdown. "teller" answers with what the test tells it, and calls the tools that it names. "failing"
// fails with the HTTP status that the question names, until the test sets works.
// "said" answers with what the test has set as said, "editing" stages what it has set as
// edits. The list of models leaves most of them out.
import { createServer } from "node:http";
import { answerWithEdits } from "./editingModel.mjs";
import { richAnswer } from "./richAnswer.mjs";
import { slowResponse } from "./slow.mjs";

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
  /** The tool calls of the model "editing". */
  edits = [];
  /** Whether the failing model answers. */
  works = false;
  /** The answer of the model "said". */
  said = "";
  /** What the last request asked, with the code that was sent along. */
  question = "";

  async start() {
    this.hangUp = new Promise((resolve) => (this.hungUp = resolve));
    this.server = createServer(async (request, response) => {
      if (request.method === "GET") return void response.end('{"data":[{"id":"endless"},{"id":"broken"}]}'); // the list of models
      slowResponse(response);
      const { model, messages } = JSON.parse(await body(request));
      this.question = messages.findLast(({ role }) => role === "user").content;
      if (model === "failing" && !this.works) return fail(response, Number(/\d{3}/.exec(questionOf(messages))?.[0]));
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      if (model === "editing") this.answerWithEdits(response, messages);
      else if (model === "endless") this.answerEndlessly(response);
      else if (model === "manual") this.answerManually(response, messages);
      else if (model === "rich") answerRichly(response, messages);
      else if (model === "teller") this.tell(response);
      else if (model === "said") end(response, { content: this.said });
      else if (model === "failing") end(response, { content: "It works now." });
      else if (!this.breakOff) this.answerHalf(response);
      else this.answerWhole(response);
    });
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  /** Resolves when the next edits are staged. */
  nextStaged() {
    return new Promise((resolve) => (this.staged = resolve));
  }

  answerWithEdits(response, messages) {
    if (messages.at(-1).role === "tool") this.staged?.();
    answerWithEdits(response, messages, this.edits);
  }

  answerEndlessly(response) {
    let words = 0;
    const timer = setInterval(() => write(response, { content: `word${++words} ` }), 50);
    response.on("close", () => {
      clearInterval(timer);
      this.hungUp();
    });
  }

  answerHalf(response) {
    write(response, { content: `Half an answer:\n${snippet("greet/name.go", 9, "type Name struct {")}and an open\n\`\`\`go\nblock` });
    this.breakOff = () => response.destroy();
  }

  answerWhole(response) {
    write(response, { content: "A whole " });
    end(response, { content: `answer:\n${snippet("greet/greet.go", 8, "func Greeting(n Name) string {")}` });
  }

  answerManually(response, messages) {
    const question = questionOf(messages);
    const tool = tools[/^\w+/.exec(question)[0]];
    this.read = messages.findLast(({ role }) => role === "tool")?.content;
    if (tool && !this.read) return call(response, tool);
    this.asked.push(question);
    write(response, { content: `Answer to ${question}` });
    this.cut = () => response.destroy();
    this.goOn = () => end(response);
  }

  /** Does what makes the server ask the model "teller", and waits until it has. */
  async asking(work) {
    const asked = new Promise((resolve) => (this.told = resolve));
    await work();
    await asked;
  }

  tell(response) {
    write(response, { content: "" });
    this.say = (content) => write(response, { content });
    this.call = (tool) => call(response, tool);
    this.think = (thought) => write(response, { reasoning_content: thought });
    this.cut = () => response.destroy();
    this.goOn = () => end(response);
    this.told?.();
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function answerRichly(response, messages) {
  if (!messages.some(({ role }) => role === "tool")) {
    write(response, { reasoning_content: "The question is about names.\n\n" });
    write(response, { reasoning_content: "I look at **both** files first." });
    return call(response, { name: "read_file", arguments: '{"file":"greet/name.go"}' }, { name: "read_file", arguments: '{"file":"greet/name.go","start_line":"first"}' });
  }
  for (let at = 0; at < richAnswer.length; at += 17) write(response, { content: richAnswer.slice(at, at + 17) });
  end(response, {}, { prompt_tokens: 12_345, completion_tokens: 678, total_tokens: 13_023, cost: 0.0213 });
}

// The time to wait keeps a person from waiting for the end of a minute, as after a rate limit without it.
function fail(response, status) {
  response.writeHead(status, { "Content-Type": "application/json", "Retry-After-Ms": "200" });
  response.end(JSON.stringify({ error: { message: `The model answers with status ${status}`, type: "any" } }));
}

function questionOf(messages) {
  const { content } = messages.findLast(({ role }) => role === "user");
  return content.split("\n").findLast((line) => line.trim());
}

async function body(request) {
  let text = "";
  for await (const data of request.setEncoding("utf8")) text += data;
  return text;
}

function call(response, ...called) {
  const tool_calls = called.map((tool, index) => ({ index, id: `c${index}`, type: "function", function: tool }));
  write(response, { content: "", tool_calls }, "tool_calls");
  response.end("data: [DONE]\n\n");
}

function end(response, delta = {}, usage = undefined) {
  write(response, delta, "stop", usage);
  response.end("data: [DONE]\n\n");
}

function write(response, delta, finish = null, usage = undefined) {
  const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "any", usage,
    choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: finish }] };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function snippet(file, line, code) {
  return `<code="${file}" #${line}:${line}>\n${code}\n</code>\n`;
}
