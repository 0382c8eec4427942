// The texts of proposed edits as documents of the editor: both sides of a diff. What
// a proposal makes of a file can be changed there; saving it changes the proposal.
import {
  type Disposable, EventEmitter, type FileChangeEvent, FileChangeType, FilePermission, type FileStat, FileSystemError,
  type FileSystemProvider, FileType, type TextDocument, Uri, workspace,
} from "vscode";
import type { Client } from "./client";
import { type ProposalView, proposalEdit, proposalGet } from "./requests";
import { isOpen } from "./standing";

export const proposalScheme = "ploke-proposal";

type Side = "before" | "after";

/** What a document's address says: its path is the file's, and so its language. */
interface Address {
  id: string;
  uri: string;
  /** Tells apart what is left of a file from what was accepted of it. */
  hunk: string;
  side: Side;
}

/** The document that shows one side of a proposed file. */
export function sideOf(id: string, { uri, hunks }: ProposalView, side: Side): Uri {
  const address: Address = { id, uri, hunk: hunks[0]?.id ?? "", side };
  return Uri.from({ scheme: proposalScheme, path: Uri.parse(uri).path, query: JSON.stringify(address) });
}

/** The proposal that a document belongs to. */
export function proposalOf(document: Uri): string {
  return addressOf(document).id;
}

function addressOf(document: Uri): Address {
  return JSON.parse(document.query) as Address;
}

/** The documents of a proposal that are open. */
function documentsOf(id: string): TextDocument[] {
  return workspace.textDocuments.filter(({ uri }) => uri.scheme === proposalScheme && proposalOf(uri) === id);
}

export class ProposalFiles implements FileSystemProvider, Disposable {
  private readonly changing = new EventEmitter<FileChangeEvent[]>();
  private readonly saving = new EventEmitter<string>();
  private readonly changed = new Map<string, number>();
  private readonly subscriptions: Disposable[];

  readonly onDidChangeFile = this.changing.event;
  /** The user has changed the proposal with this id. */
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

  /** Has the proposal be what the user sees of it. */
  async save(id: string): Promise<void> {
    for (const document of documentsOf(id)) if (document.isDirty) await document.save();
  }

  /** The server tells by itself what changes. */
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

  /** Asked of the server each time, so that a diff outlives a reload of the window. */
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
