// Answers the server's requests to the editor: diagnostics, and the selection with
// the visible and recently edited files.
import { type Diagnostic, type Disposable, type TextDocument, type TextEditor, Uri, languages, window, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { ClientDiagnosticsResult, ClientState } from "./protocol";

type Converter = LanguageClient["code2ProtocolConverter"];

const recentLimit = 10;

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
    const visible = window.visibleTextEditors.map(({ document }) => document).filter(isFile).map(({ uri }) => converter.asUri(uri));
    const selection = this.last && !this.last.document.isClosed
      ? { uri: converter.asUri(this.last.document.uri), range: converter.asRange(this.last.selection) }
      : undefined;
    return {
      ...(selection && { selection }),
      visible: [...new Set(visible)],
      recent: this.recent.map((uri) => converter.asUri(uri)),
    };
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private focused(editor: TextEditor | undefined): void {
    if (editor && isFile(editor.document)) this.last = editor;
  }

  private edited(document: TextDocument): void {
    if (!isFile(document)) return;
    const others = this.recent.filter((uri) => uri.toString() !== document.uri.toString());
    this.recent = [document.uri, ...others].slice(0, recentLimit);
  }
}

function isFile({ uri }: TextDocument): boolean {
  return uri.scheme === "file";
}
