// Asks VS Code for ploke-lsp what the language servers and extensions of the user know of the code. What answers is not
// told by VS Code, nor whether it has read the project.
import { type CancellationToken, type TextDocument, Uri, extensions, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type LSPQuestion, lspQuestions } from "./lspQuestions";
import { messageOf } from "./errors";
import type { ClientLSPParams, ClientLSPServersResult, LSPAnswer, LSPMethod, LSPServer } from "./protocol";

/** VS Code is one server, whatever answers in it. */
const id = "vscode";
/** Below the time for which ploke-lsp waits. */
const limitMs = 12_000;

let asking = 0;

/** Whether a question of ploke-lsp is being answered, which its own client must not answer. */
export function isAsking(): boolean {
  return asking > 0;
}

/** Lists what may be asked about a document. */
export async function lspServers(uri: string): Promise<ClientLSPServersResult> {
  const document = await opened(uri);
  return { servers: document && document.languageId !== "plaintext" ? [serverOf(document)] : [] };
}

/** Asks. The answer is that for a version of the document, and none if it takes too long. */
export async function askLSP(params: ClientLSPParams, client: LanguageClient, token: CancellationToken): Promise<LSPAnswer> {
  const ask = questionOf(params.method);
  if (!ask) return { failure: `${params.method} is not asked for others` };
  const document = await opened(params.uri);
  if (!document) return { failure: "VS Code can't open the document" };
  const { version } = document;
  if (params.version === undefined ? document.isDirty : params.version !== version) return { changed: true, version };
  const answer = await inTime(answered(ask, { document, params: params.params, client }), token);
  return { ...answer, version, changed: document.isClosed || document.version !== version, server: serverOf(document) };
}

/** Only what is listed is asked, whatever the name of a method is. */
function questionOf(method: string): LSPQuestion | undefined {
  return Object.hasOwn(lspQuestions, method) ? lspQuestions[method as LSPMethod] : undefined;
}

async function answered(ask: LSPQuestion, asked: Parameters<LSPQuestion>[0]): Promise<LSPAnswer> {
  asking++;
  try {
    return { result: await ask(asked) };
  } catch (error) {
    return { refusal: messageOf(error) };
  } finally {
    asking--;
  }
}

/** Returns the answer, or that there is none by then. */
async function inTime(answer: Promise<LSPAnswer>, token: CancellationToken): Promise<LSPAnswer> {
  const ends: (() => void)[] = [];
  const late = new Promise<LSPAnswer>((resolve) => {
    const timer = setTimeout(() => resolve({ failure: `VS Code has not answered within ${limitMs / 1000} s` }), limitMs);
    const cancelled = token.onCancellationRequested(() => resolve({ failure: "it was cancelled" }));
    ends.push(() => clearTimeout(timer), () => cancelled.dispose());
  });
  return Promise.race([answer, late]).finally(() => ends.forEach((end) => end()));
}

/** Returns the document, which is opened in the background if it is not open; undefined if it can't be. */
async function opened(uri: string): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(Uri.parse(uri));
  } catch {
    return undefined;
  }
}

function serverOf({ languageId }: TextDocument): LSPServer {
  return { id, name: languageName(languageId), encoding: "utf-16", methods: Object.keys(lspQuestions) as LSPMethod[] };
}

interface Language {
  id: string;
  aliases?: string[];
}

/** Returns what people call a language, as some extension says. */
function languageName(languageId: string): string {
  for (const { packageJSON } of extensions.all) {
    const { contributes } = packageJSON as { contributes?: { languages?: Language[] } };
    const alias = contributes?.languages?.find((language) => language.id === languageId)?.aliases?.[0];
    if (alias) return alias;
  }
  return languageId;
}
