// An extension beside ploke's, as others are: it has models and a test that fails. What the end-to-end test wants of VS
// Code's API, it asks for over HTTP.
const { writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const vscode = require("vscode");

/** What the models were last asked, and whether that was cancelled. */
const seen = { messages: [], tools: [], cancelled: false };

const methods = {
  hasModels: () => typeof vscode.lm.registerLanguageModelChatProvider === "function",
  seen: () => seen,
  tools: () => vscode.lm.tools.map(({ name }) => name),
  invoke: async ({ name, input }) => {
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, new vscode.CancellationTokenSource().token);
    return result.content.map(({ value }) => value).join("");
  },
  fail: ({ path, line, label, message }) => fail(path, line, label, message),
};

exports.activate = (context) => {
  if (methods.hasModels()) context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("guest", provider));
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const data of request.setEncoding("utf8")) body += data;
    const { method, params } = JSON.parse(body);
    try {
      response.end(JSON.stringify({ result: await methods[method](params) }));
    } catch (error) {
      response.end(JSON.stringify({ error: String(error) }));
    }
  });
  server.listen(0, "127.0.0.1", () => writeFileSync(join(tmpdir(), "guest-port"), String(server.address().port)));
  context.subscriptions.push({ dispose: () => server.close() });
};

function model(id, more) {
  return { id, name: id, family: "guest", version: "1", maxInputTokens: 50_000, maxOutputTokens: 4000, capabilities: { toolCalling: true }, ...more };
}

const provider = {
  provideLanguageModelChatInformation: () => [model("open"), model("private", { requiresAuthorization: true })],
  provideTokenCount: async () => 1,
  async provideLanguageModelChatResponse(_, messages, { tools }, progress, token) {
    const parts = messages.flatMap(({ content }) => content);
    const result = parts.findLast((part) => part instanceof vscode.LanguageModelToolResultPart);
    const question = parts.findLast(({ value }) => typeof value === "string").value.trim().split("\n").at(-1);
    Object.assign(seen, { messages: messages.map(({ role, content }) => ({ role, text: content.map(({ value }) => value ?? "").join("") })), tools: (tools ?? []).map(({ name }) => name), cancelled: false });
    const say = (text) => progress.report(new vscode.LanguageModelTextPart(text));
    if (question.startsWith("blocked")) throw vscode.LanguageModelError.Blocked("The filter of the guest says no.");
    if (question.startsWith("read") && !result) {
      say("I read it. ");
      return progress.report(new vscode.LanguageModelToolCallPart("call-1", "read_file", { file: "greet/name.go" }));
    }
    if (question.startsWith("endless")) {
      say("It never ends");
      await new Promise((resolve) => token.onCancellationRequested(resolve));
      seen.cancelled = true;
      return;
    }
    say(result ? `It says: ${JSON.stringify(result.content).includes("func ParseName")}` : `Guest: ${question}`);
  },
};

/** Lets a test fail, as a test runner does. */
function fail(path, line, label, text) {
  const controller = vscode.tests.createTestController("guest", "Guest");
  const uri = vscode.Uri.file(path);
  const item = controller.createTestItem(label, label, uri);
  item.range = new vscode.Range(line, 0, line, 10);
  controller.items.add(item);
  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, () => {}, true);
  const run = controller.createTestRun(new vscode.TestRunRequest([item]));
  run.started(item);
  const message = new vscode.TestMessage(text);
  message.location = new vscode.Location(uri, item.range);
  run.failed(item, message);
  run.end();
}
