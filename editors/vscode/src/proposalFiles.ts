// A file system with the two sides of the diffs of proposed edits. The proposed side
// of a file can be edited; saving it changes the proposal.
import {
  type Disposable, EventEmitter, type FileChangeEvent, FileChangeType, FilePermission, type FileStat, FileSystemError,
  type FileSystemProvider, FileType, type TextDocument, Uri, workspace,
} from "vscode";
import type { Client } from "./client";
import { type ProposalView, proposalEdit, proposalGet } from "./protocol";
import { isOpen } from "./proposalState";

export const proposalScheme = "ploke-proposal";

type Side = "before" | "after";

/** The query of a document's URI. The URI has the path of the file, which determines the language. */
interface Address {
  id: string;
  uri: string;
  /** The first hunk: distinguishes the views of a partly accepted file. Citations of the server name none: what is left. */
  hunk?: string;
  side: Side;
}

/** Returns the URI of one side of a proposed file. */
export function sideOf(id: string, { uri, hunks }: ProposalView, side: Side): Uri {
  const address: Address = { id, uri, hunk: hunks[0]?.id ?? "", side };
  return Uri.from({ scheme: proposalScheme, path: Uri.parse(uri).path, query: JSON.stringify(address) });
}

/** Returns the id of the proposal that a document belongs to. */
export function proposalOf(document: Uri): string {
  return addressOf(document).id;
}

function addressOf(document: Uri): Address {
  return JSON.parse(document.query) as Address;
}

/** Returns the open documents of a proposal. */
function documentsOf(id: string): TextDocument[] {
  return workspace.textDocuments.filter(({ uri }) => uri.scheme === proposalScheme && proposalOf(uri) === id);
}

export class ProposalFiles implements FileSystemProvider, Disposable {
  private readonly changing = new EventEmitter<FileChangeEvent[]>();
  private readonly saving = new EventEmitter<string>();
  private readonly changed = new Map<string, number>();
  private readonly subscriptions: Disposable[];

  readonly onDidChangeFile = this.changing.event;
  /** Fires with the id of a proposal that the user has edited. */
  readonly onSave = this.saving.event;

  constructor(private readonly client: Client) {
    this.subscriptions = [
      this.changing,
      this.saving,
      client.onEvent((event) => event.type === "proposal" && this.refresh(event.id)),
    ];
  }

  async stat(document: Uri): Promise<FileStat> {
    const { id, side } = addressOf(document);
    const view = await this.view(document);
    const editable = side === "after" && view.op !== "delete" && view.hunks.some(isOpen);
    return {
      type: FileType.File,
      ctime: 0,
      mtime: this.changed.get(id) ?? 0,
      size: Buffer.byteLength(view[side]),
      ...(!editable && { permissions: FilePermission.Readonly }),
    };
  }

  async readFile(document: Uri): Promise<Uint8Array> {
    return Buffer.from((await this.view(document))[addressOf(document).side]);
  }

  async writeFile(document: Uri, content: Uint8Array): Promise<void> {
    const { id, uri: file } = addressOf(document);
    await this.client.request(proposalEdit, { id, file, after: Buffer.from(content).toString() });
    this.refresh(id);
    this.saving.fire(id);
  }

  /** Saves the unsaved documents of a proposal. */
  async save(id: string): Promise<void> {
    for (const document of documentsOf(id)) if (document.isDirty) await document.save();
  }

  /** Changes come as events of the server, so there is nothing to watch. */
  watch(): Disposable {
    return { dispose: () => {} };
  }

  readDirectory(): never {
    throw FileSystemError.FileNotADirectory();
  }

  createDirectory(): never {
    throw FileSystemError.NoPermissions();
  }

  delete(): never {
    throw FileSystemError.NoPermissions();
  }

  rename(): never {
    throw FileSystemError.NoPermissions();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Always asks the server, so that a diff survives a reload of the window. */
  private async view(document: Uri): Promise<ProposalView> {
    const { id, uri, hunk } = addressOf(document);
    await this.client.settled();
    const { files } = await this.client.request(proposalGet, { id });
    const views = files.filter((file) => file.uri === uri);
    const view = views.find(({ hunks }) => hunks.some((candidate) => candidate.id === hunk)) ?? views.at(-1);
    if (!view) throw FileSystemError.FileNotFound(document);
    return view;
  }

  private refresh(id: string): void {
    this.changed.set(id, Math.max(Date.now(), (this.changed.get(id) ?? 0) + 1));
    this.changing.fire(documentsOf(id).map(({ uri }) => ({ type: FileChangeType.Changed, uri })));
  }
}
