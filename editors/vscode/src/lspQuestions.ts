// What ploke-lsp may ask in VS Code: requests of LSP as commands of VS Code, and their results as those of LSP. Nothing of
// it changes anything.
import {
  type CallHierarchyIncomingCall, type CallHierarchyItem, type CallHierarchyOutgoingCall, type CodeAction, type Command, type Location,
  type LocationLink, Position, Range, type TextDocument, type TextEdit, type Uri, type WorkspaceEdit, commands, languages,
} from "vscode";
import type * as lsp from "vscode-languageclient/node";
import type { LSPMethod } from "./protocol";

interface Asked {
  document: TextDocument;
  /** As LSP has them, with positions in UTF-16, which are those of VS Code. */
  params: unknown;
  client: lsp.LanguageClient;
}

export type LSPQuestion = (asked: Asked) => Promise<unknown>;

export const lspQuestions: Record<LSPMethod, LSPQuestion> = {
  "textDocument/definition": (asked) => locations("vscode.executeDefinitionProvider", asked),
  "textDocument/references": references,
  "textDocument/implementation": (asked) => locations("vscode.executeImplementationProvider", asked),
  "textDocument/prepareRename": prepareRename,
  "textDocument/rename": rename,
  "textDocument/prepareCallHierarchy": prepareCalls,
  "callHierarchy/incomingCalls": incomingCalls,
  "callHierarchy/outgoingCalls": outgoingCalls,
  "textDocument/diagnostic": async ({ document, client }) =>
    ({ kind: "full", items: await client.code2ProtocolConverter.asDiagnostics([...languages.getDiagnostics(document.uri)]) }),
  "textDocument/codeAction": codeActions,
};

function positionOf({ params }: Asked): Position {
  const { position } = params as lsp.TextDocumentPositionParams;
  return new Position(position.line, position.character);
}

async function locations(command: string, asked: Asked): Promise<lsp.Location[]> {
  const { document, client } = asked;
  const found = await commands.executeCommand<(Location | LocationLink)[] | undefined>(command, document.uri, positionOf(asked));
  const converter = client.code2ProtocolConverter;
  return (found ?? []).map((one) => "targetUri" in one
    ? { uri: converter.asUri(one.targetUri), range: converter.asRange(one.targetSelectionRange ?? one.targetRange) }
    : converter.asLocation(one));
}

/** VS Code always counts the declarations among the references. */
async function references(asked: Asked): Promise<lsp.Location[]> {
  const all = await locations("vscode.executeReferenceProvider", asked);
  if ((asked.params as lsp.ReferenceParams).context.includeDeclaration) return all;
  const key = ({ uri, range: { start } }: lsp.Location) => `${uri} ${start.line}:${start.character}`;
  const declared = new Set((await locations("vscode.executeDefinitionProvider", asked)).map(key));
  return all.filter((one) => !declared.has(key(one)));
}

async function prepareRename(asked: Asked): Promise<unknown> {
  const found = await commands.executeCommand<{ range: Range; placeholder: string } | undefined>(
    "vscode.prepareRename", asked.document.uri, positionOf(asked));
  return found ? { range: asked.client.code2ProtocolConverter.asRange(found.range), placeholder: found.placeholder } : null;
}

async function rename(asked: Asked): Promise<lsp.WorkspaceEdit | null> {
  const { newName } = asked.params as lsp.RenameParams;
  const edit = await commands.executeCommand<WorkspaceEdit | undefined>(
    "vscode.executeDocumentRenameProvider", asked.document.uri, positionOf(asked), newName);
  return edit ? editOf(edit, asked.client) : null;
}

/** Returns an edit of texts. One that does more has no text for that, and is none at all. */
function editOf(edit: WorkspaceEdit, client: lsp.LanguageClient): lsp.WorkspaceEdit {
  const converter = client.code2ProtocolConverter;
  const { _allEntries } = edit as unknown as { _allEntries?: () => { edit?: TextEdit }[] };
  if (_allEntries?.call(edit).some((entry) => !entry.edit)) throw new Error("the edit does more than to change texts");
  return {
    documentChanges: edit.entries().map(([uri, edits]: [Uri, TextEdit[]]) => ({
      textDocument: { uri: converter.asUri(uri), version: null },
      edits: edits.map((one) => ({ range: converter.asRange(one.range), newText: one.newText })),
    })),
  };
}

const mostItems = 1000;
/** VS Code knows an item of a hierarchy by its object only. The last ones are kept. */
const items = new Map<number, CallHierarchyItem>();
let lastItem = 0;

function itemOf(item: CallHierarchyItem, client: lsp.LanguageClient): lsp.CallHierarchyItem {
  items.set(++lastItem, item);
  items.delete(lastItem - mostItems);
  return { ...client.code2ProtocolConverter.asCallHierarchyItem(item), data: lastItem };
}

function keptItem({ params }: Asked): CallHierarchyItem {
  const { data } = (params as lsp.CallHierarchyIncomingCallsParams).item as { data?: number };
  const item = items.get(data ?? 0);
  if (!item) throw new Error("the item is not known any more");
  return item;
}

async function prepareCalls(asked: Asked): Promise<lsp.CallHierarchyItem[]> {
  const found = await commands.executeCommand<CallHierarchyItem[] | undefined>(
    "vscode.prepareCallHierarchy", asked.document.uri, positionOf(asked));
  return (found ?? []).map((item) => itemOf(item, asked.client));
}

async function incomingCalls(asked: Asked): Promise<lsp.CallHierarchyIncomingCall[]> {
  const found = await commands.executeCommand<CallHierarchyIncomingCall[] | undefined>("vscode.provideIncomingCalls", keptItem(asked));
  return (found ?? []).map(({ from, fromRanges }) =>
    ({ from: itemOf(from, asked.client), fromRanges: asked.client.code2ProtocolConverter.asRanges(fromRanges) }));
}

async function outgoingCalls(asked: Asked): Promise<lsp.CallHierarchyOutgoingCall[]> {
  const found = await commands.executeCommand<CallHierarchyOutgoingCall[] | undefined>("vscode.provideOutgoingCalls", keptItem(asked));
  return (found ?? []).map(({ to, fromRanges }) =>
    ({ to: itemOf(to, asked.client), fromRanges: asked.client.code2ProtocolConverter.asRanges(fromRanges) }));
}

/** Only actions that are nothing but an edit of texts: what runs a command is left out. */
async function codeActions(asked: Asked): Promise<lsp.CodeAction[]> {
  const { range } = asked.params as lsp.CodeActionParams;
  const found = await commands.executeCommand<(CodeAction | Command)[] | undefined>(
    "vscode.executeCodeActionProvider", asked.document.uri, new Range(range.start.line, range.start.character, range.end.line, range.end.character));
  return (found ?? []).flatMap((action) => "edit" in action && action.edit && !action.command
    ? [{ title: action.title, edit: editOf(action.edit, asked.client), ...(action.kind && { kind: action.kind.value }) }]
    : []);
}
