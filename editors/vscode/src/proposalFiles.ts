// A file system with the texts of proposed edits, for diffs and merges. The proposed
// text of a file can be edited; saving it changes the proposal.
import {
  type Disposable, EventEmitter, type FileChangeEvent, FileChangeType, FilePermission, type FileStat, FileSystemError,
  type FileSystemProvider, FileType, type TextDocument, Uri, workspace,
} from "vscode";
import type { Client } from "./client";
import { reporting } from "./errors";
import { type Address, addressOf, proposalScheme } from "./proposalAddress";
import { isOpen } from "./proposalState";
import { type ReviewMergeResult, proposalAccept, proposalEdit, proposalGet, reviewMerge } from "./protocol";
import type { Review } from "./review";

/** What a document shows. */
interface Content {
  text: string;
  /** The text of the file that it was made from; undefined if it can't be edited. */
  over?: string;
  /** The version of the proposal that it was made from; undefined if it can't be edited. */
  version?: string;
  mtime: number;
}

export class ProposalFiles implements FileSystemProvider, Disposable {
  private readonly changing = new EventEmitter<FileChangeEvent[]>();
  private readonly contents = new Map<string, Content>();
  private readonly subscriptions: Disposable[];

  readonly onDidChangeFile = this.changing.event;

  constructor(
    private readonly client: Client,
    review: Review,
  ) {
    this.subscriptions = [
      this.changing,
      workspace.registerFileSystemProvider(proposalScheme, this, { isCaseSensitive: true }),
      workspace.onDidCloseTextDocument(({ uri }) => this.contents.delete(uri.toString())),
      client.onEvent((event) => event.type === "proposal" && this.refresh(({ id }) => id === event.id)),
      review.onChange(() => this.refresh(() => true)),
    ];
  }

  async stat(document: Uri): Promise<FileStat> {
    const { text, over, mtime } = await this.content(document);
    return {
      type: FileType.File,
      ctime: 0,
      mtime,
      size: Buffer.byteLength(text),
      ...(over === undefined && { permissions: FilePermission.Readonly }),
    };
  }

  async readFile(document: Uri): Promise<Uint8Array> {
    return Buffer.from((await this.content(document)).text);
  }

  async writeFile(document: Uri, content: Uint8Array): Promise<void> {
    const { id, uri: file, side } = addressOf(document);
    const { over, version } = await this.content(document);
    const after = Buffer.from(content).toString();
    const edited = await this.client.request(proposalEdit, { id, file, after, ...(over !== undefined && { over }), ...(version !== undefined && { version }) });
    this.contents.set(document.toString(), { text: after, over, version: edited.version, mtime: this.later(document) });
    this.follow(id, version, edited.version);
    this.refresh((address) => address.id === id);
    if (side === "resolved") void reporting(() => this.client.request(proposalAccept, { id, version: edited.version, files: [file] }))();
  }

  /** What the user has made of one file of a proposal leaves the texts of its other files as they are. */
  private follow(id: string, before: string | undefined, now: string): void {
    for (const [key, content] of this.contents) {
      if (content.version === before && addressOf(Uri.parse(key)).id === id) content.version = now;
    }
  }

  /** Saves the unsaved documents of a proposal, but no merge: that is saved when it is accepted. Returns the version that it has then, or undefined if there were none. */
  async save(id: string): Promise<string | undefined> {
    const unsaved = open((address) => address.id === id && address.side !== "resolved").filter(({ isDirty }) => isDirty);
    for (const document of unsaved) {
      if (!(await document.save())) throw new Error(`what you typed in the diff of ${document.uri.path} could not be saved`);
    }
    const last = unsaved.at(-1);
    return last && this.contents.get(last.uri.toString())?.version;
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

  /** What a document with unsaved changes was made from stays, so that saving it changes nothing else. */
  private async content(document: Uri): Promise<Content> {
    const key = document.toString();
    const known = this.contents.get(key);
    if (known && workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === key)) return known;
    await this.client.settled();
    const read = await this.read(addressOf(document));
    const same = known?.text === read.text && known.over === read.over && known.version === read.version;
    const content = same ? known : { ...read, mtime: this.later(document) };
    this.contents.set(key, content);
    return content;
  }

  private later(document: Uri): number {
    return Math.max(Date.now(), (this.contents.get(document.toString())?.mtime ?? 0) + 1);
  }

  /** Always asks the server, so that a diff survives a reload of the window. */
  private async read({ id, uri, side }: Address): Promise<Omit<Content, "mtime">> {
    const { files, conflicts = [] } = await this.client.request(proposalGet, { id });
    const views = files.filter((file) => file.uri === uri);
    const view = views.findLast(({ hunks }) => hunks.some(isOpen)) ?? views.at(-1);
    if (!view) throw FileSystemError.FileNotFound(uri);
    if (side === "after") return { text: view.after };
    if (!view.hunks.some(isOpen)) return { text: await currentText([view.newUri ?? uri, uri]) };
    const texts = await this.client.request(reviewMerge, { id, uri });
    if (side === "base" || side === "ours") return { text: texts[side] };
    if (side === "now") return { text: texts.theirs };
    const editable = view.op !== "delete" && (side === "resolved" || !conflicts.some((conflict) => conflict.uri === uri));
    return { text: side === "resolved" ? unresolved(texts) : texts.merged, ...(editable && { over: texts.theirs, version: texts.proposalVersion }) };
  }

  private refresh(which: (address: Address) => boolean): void {
    const documents = open(which).filter(({ isDirty }) => !isDirty);
    this.changing.fire(documents.map(({ uri }) => ({ type: FileChangeType.Changed, uri })));
  }
}

/** Returns the open documents of proposals. */
function open(which: (address: Address) => boolean): TextDocument[] {
  return workspace.textDocuments.filter(({ uri }) => uri.scheme === proposalScheme && which(addressOf(uri)));
}

/** Returns a text with the markers of a conflict: the merge editor then begins with what merges by itself, and the conflicts unresolved. */
function unresolved({ ours, theirs }: ReviewMergeResult): string {
  return `<<<<<<< Proposed\n${ours}\n=======\n${theirs}\n>>>>>>> Now\n`;
}

/** Returns the text of the first of these files that exists; of a deleted file it is empty. */
async function currentText(files: string[]): Promise<string> {
  for (const file of files) {
    try {
      return (await workspace.openTextDocument(Uri.parse(file))).getText();
    } catch {
      // It is gone, as the proposal or somebody else wanted.
    }
  }
  return "";
}
