// The models of VS Code, from whatever extension has them: no key is needed, and VS Code asks the user before an extension
// may use one. What VS Code has learned since 1.91 is looked for when it runs.
import * as vscode from "vscode";
import type { ClientModel, ClientModelSendParams, ClientModelSendResult, ClientModelsResult, ModelFailure, ModelMessage, ModelPartParams } from "./protocol";

/** A piece of a message, which VS Code has classes for since 1.95. */
type Piece = object;

/** What VS Code has of messages with tool calls, if it has it. */
interface Pieces {
  LanguageModelTextPart?: new (value: string) => Piece;
  LanguageModelToolCallPart?: new (callId: string, name: string, input: object) => Piece;
  LanguageModelToolResultPart?: new (callId: string, content: Piece[]) => Piece;
}

/** A piece of an answer. Its class is not looked at: some are not in the stable API. */
interface Answered {
  value?: string | string[];
  callId?: string;
  name?: string;
  input?: unknown;
}

const pieces = vscode as unknown as Pieces;
const { LanguageModelTextPart: Text, LanguageModelToolCallPart: Call, LanguageModelToolResultPart: Result } = pieces;

/** Lists the models. */
export async function editorModels(): Promise<ClientModelsResult> {
  const all = await vscode.lm.selectChatModels({});
  return { models: all.map(describe) };
}

function describe(model: vscode.LanguageModelChat): ClientModel {
  const { capabilities } = model as { capabilities?: { supportsToolCalling?: boolean } };
  return { id: idOf(model), contextTokens: model.maxInputTokens, tools: capabilities?.supportsToolCalling ?? Call !== undefined };
}

function idOf({ vendor, id }: vscode.LanguageModelChat): string {
  return `${vendor}/${id}`;
}

/** Has a model answer, and sends each part of the answer. */
export async function answerWithModel(
  request: ClientModelSendParams, send: (part: ModelPartParams) => Promise<void>, token: vscode.CancellationToken,
): Promise<ClientModelSendResult> {
  let parts = 0;
  const model = (await vscode.lm.selectChatModels({})).find((one) => idOf(one) === request.model);
  if (!model) return { parts, error: "notFound", message: `VS Code has no model ${request.model}` };
  try {
    const options = {
      justification: "ploke answers your message with this model.",
      ...(Call && request.tools.length > 0 && {
        tools: request.tools.map(({ name, description, schema }) => ({ name, description, inputSchema: JSON.parse(schema) as object })),
      }),
    };
    const response = await model.sendRequest(messagesOf(request.messages), options, token);
    const { stream } = response as { stream?: AsyncIterable<unknown> };
    for await (const piece of stream ?? response.text) {
      if (token.isCancellationRequested) break;
      const part = partOf(piece);
      if (part) await send({ request: request.request, seq: ++parts, ...part });
    }
    return { parts };
  } catch (error) {
    return { parts, error: failureOf(error), message: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns undefined for what is neither text, a thought nor a call, such as usage. */
function partOf(piece: unknown): Pick<ModelPartParams, "text" | "thought" | "call"> | undefined {
  if (typeof piece === "string") return piece ? { text: piece } : undefined;
  const { value, callId, name, input } = piece as Answered;
  if (callId !== undefined && name !== undefined) {
    return { call: { id: callId, name, arguments: JSON.stringify(input ?? {}) } };
  }
  const text = Array.isArray(value) ? value.join("") : value;
  if (typeof text !== "string" || !text) return undefined;
  return Text && piece instanceof Text ? { text } : isThought(piece) ? { thought: text } : undefined;
}

function isThought(piece: unknown): boolean {
  return (piece as object).constructor.name === "LanguageModelThinkingPart";
}

/** VS Code has no messages of the system: its text is the first one of the user. Results of tools go together. */
function messagesOf(all: ModelMessage[]): vscode.LanguageModelChatMessage[] {
  const messages: vscode.LanguageModelChatMessage[] = [];
  let results: Piece[] | undefined;
  for (const { role, text, calls, callId } of all) {
    if (role === "tool" && Result && Text) {
      const result = new Result(callId ?? "", [new Text(text)]);
      if (results) results.push(result);
      else messages.push(message("User", (results = [result])));
      continue;
    }
    results = undefined;
    if (role !== "assistant") messages.push(message("User", text));
    else if (!calls?.length || !Call || !Text) messages.push(message("Assistant", text));
    else messages.push(message("Assistant", [...(text ? [new Text(text)] : []), ...calls.map((call) => new Call(call.id, call.name, JSON.parse(call.arguments) as object))]));
  }
  return messages;
}

function message(role: "User" | "Assistant", content: string | Piece[]): vscode.LanguageModelChatMessage {
  return vscode.LanguageModelChatMessage[role](content as string);
}

function failureOf(error: unknown): ModelFailure {
  const code = error instanceof vscode.LanguageModelError ? error.code : "";
  const failures: Record<string, ModelFailure> = { NoPermissions: "notAllowed", NotFound: "notFound", Blocked: "blocked" };
  return failures[code] ?? (/quota|limit/i.test(String(error)) ? "quota" : "failed");
}
