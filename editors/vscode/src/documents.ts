// Documents of the server to read: what the doctor finds, and the ledger.
import { type Disposable, EventEmitter, type TextDocumentContentProvider, Uri, commands, workspace } from "vscode";
import type { RequestType } from "vscode-languageclient/node";
import type { Client } from "./client";
import { type MarkdownDocument, doctor, ledgerDocument } from "./protocol";

const scheme = "ploke-document";

export class Documents implements TextDocumentContentProvider, Disposable {
  private readonly changeEmitter = new EventEmitter<Uri>();
  private readonly texts = new Map<string, string>();
  private readonly subscription = workspace.registerTextDocumentContentProvider(scheme, this);

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly client: Client) {}

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  showDoctor(): Promise<void> {
    return this.show("ploke doctor.md", doctor);
  }

  showLedger(): Promise<void> {
    return this.show("ploke ledger.md", ledgerDocument);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changeEmitter.dispose();
  }

  private async show(name: string, method: RequestType<object, MarkdownDocument, void>): Promise<void> {
    const uri = Uri.from({ scheme, path: `/${name}` });
    const { markdown } = await this.client.request(method, {});
    this.texts.set(uri.path, markdown);
    this.changeEmitter.fire(uri);
    await commands.executeCommand("markdown.showPreview", uri);
  }
}
