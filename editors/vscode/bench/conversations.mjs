// Writes long conversations the way a person does: message by message, through the
// server's own protocol, into the state that the workbench reads afterwards.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { createMessageConnection, StreamMessageReader, StreamMessageWriter } =
  createRequire(import.meta.url)("vscode-jsonrpc/node");

/** Runs the server for a folder, and writes conversations: titles has the number of messages by title. */
export async function writeConversations({ binary, env, folder, provider, titles }) {
  const server = spawn(binary, ["serve"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  connection.onRequest((method, params) => (method === "workspace/configuration" ? params.items.map(() => null) : null));
  connection.listen();
  const uri = pathToFileURL(folder).href;
  await connection.sendRequest("initialize", {
    processId: process.pid, capabilities: {}, workspaceFolders: [{ uri, name: "bench" }],
    initializationOptions: { providers: { scripted: provider }, model: "scripted/writer" },
  });
  await connection.sendNotification("initialized", {});
  for (const [title, length] of Object.entries(titles)) await writeConversation(connection, title, length);
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  await new Promise((resolve) => server.on("exit", resolve));
}

async function writeConversation(connection, title, length) {
  let conversationId;
  for (let written = 0; written < length; written += 2) {
    const text = written === 0 ? title : `Question ${written / 2} about the greeting`;
    const result = await connection.sendRequest("ploke/chat/send", { text, conversationId });
    if (result.stopReason !== "done") throw new Error(`message ${written} of a conversation failed: ${result.error}`);
    conversationId = result.conversationId;
  }
}
