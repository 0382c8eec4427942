// Answers the server's requests to the editor: diagnostics, and the selection with
// the visible and recently edited files.
import {
  type Diagnostic, type Disposable, TabInputNotebook, TabInputText, TabInputTextDiff, type TextDocument, type TextEditor, Uri, languages, window, workspace,
} from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { fileOf } from "./notebooks";
import type { ClientDiagnosticsResult, ClientState } from "./protocol";

type Converter = LanguageClient["code2ProtocolConverter"];

const recentLimit = 10;
const usedLimit = 50;

/** Returns the diagnostics of one document, or of all. */
export async function diagnosticsOf(uri: string | undefined, converter: Converter): Promise<ClientDiagnosticsResult> {
  const all: [Uri, readonly Diagnostic[]][] = uri
    ? [[Uri.parse(uri), languages.getDiagnostics(Uri.parse(uri))]]
    : languages.getDiagnostics();
  const documents = all.filter(([, found]) => found.length > 0).map(async ([document, found]) => ({
    uri: converter.asUri(document),
    diagnostics: await converter.asDiagnostics([...found]),
  }));
  return { documents: await Promise.all(documents) };
}

export class EditorState implements Disposable {
  private readonly subscriptions: Disposable[];
  private last: TextEditor | undefined;
  private recent: Uri[] = [];
  /** The files that had the focus, the last one first. */
  private used: Uri[] = [];

  constructor() {
    this.focused(window.activeTextEditor);
    this.subscriptions = [
      window.onDidChangeActiveTextEditor((editor) => this.focused(editor)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document === window.activeTextEditor?.document) this.edited(document);
      }),
    ];
  }

  state(converter: Converter): ClientState {
    const visible = window.visibleTextEditors.flatMap(({ document }) => fileOf(document) ?? []).map((uri) => converter.asUri(uri));
    const selection = this.last && !this.last.document.isClosed
      ? { uri: converter.asUri(this.last.document.uri), range: converter.asRange(this.last.selection) }
      : undefined;
    return {
      ...(selection && { selection }),
      visible: [...new Set(visible)],
      recent: this.recent.map((uri) => converter.asUri(uri)),
      open: this.open.map((uri) => converter.asUri(uri)),
    };
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The files of the tabs, the last used first. */
  private get open(): Uri[] {
    const place = new Map(this.used.map((uri, index) => [uri.toString(), index]));
    const rank = (uri: Uri) => place.get(uri.toString()) ?? place.size;
    return filesOfTabs().sort((a, b) => rank(a) - rank(b));
  }

  private focused(editor: TextEditor | undefined): void {
    const uri = editor && fileOf(editor.document);
    if (!uri) return;
    this.last = editor;
    this.used = [uri, ...this.used.filter((other) => other.toString() !== uri.toString())].slice(0, usedLimit);
  }

  private edited(document: TextDocument): void {
    const edited = fileOf(document);
    if (!edited) return;
    const others = this.recent.filter((uri) => uri.toString() !== edited.toString());
    this.recent = [edited, ...others].slice(0, recentLimit);
  }
}

/** Returns the files that are open in tabs, each once: the text of those behind may not be loaded. */
function filesOfTabs(): Uri[] {
  const files = new Map<string, Uri>();
  for (const { input } of window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    const uri = input instanceof TabInputText ? input.uri : input instanceof TabInputTextDiff ? input.modified
      : input instanceof TabInputNotebook ? input.uri : undefined;
    if (uri?.scheme === "file") files.set(uri.toString(), uri);
  }
  return [...files.values()];
}
