// Files that are dragged onto the chat, or pasted into the input. What names a file is
// attached; what only has a content becomes a quoted block, and an image is refused.
import type { FromComposer } from "../src/composerMessages";
import { byId } from "./dom";
import { quote } from "../src/quote";

/** What VS Code, and other programs, write about dragged files. */
const listTypes = ["application/vnd.code.uri-list", "text/uri-list"];

/** The size above which the content of a dropped file is not quoted. */
const maxQuoted = 256 * 1024;

export class ComposerDrop {
  constructor(
    input: HTMLElement,
    private readonly act: { post(message: FromComposer): void; insert(text: string): void; refuse(problem: string): void },
  ) {
    const form = byId("form");
    document.addEventListener("dragover", (event) => {
      if (!event.dataTransfer || !mayHaveFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      form.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => event.relatedTarget ?? form.classList.remove("dropping"));
    document.addEventListener("drop", (event) => {
      form.classList.remove("dropping");
      this.take(event, event.dataTransfer);
    });
    input.addEventListener("paste", (event) => this.take(event, event.clipboardData));
  }

  /** Takes files. Text is left to the input, also if it comes with an image of it. */
  private take(event: Event, data: DataTransfer | null): void {
    const uris = data ? urisOf(data) : [];
    const files = data && !data.getData("text/plain") ? [...data.files] : [];
    if (uris.length === 0 && files.length === 0) return;
    event.preventDefault();
    if (uris.length > 0) this.act.post({ type: "attach", uris });
    else for (const file of files) void this.quoteFile(file);
  }

  private async quoteFile(file: File): Promise<void> {
    const name = file.name || "The pasted data";
    if (file.type.startsWith("image/")) return this.act.refuse(`${name} is an image, and only text is sent to a model`);
    if (file.size > maxQuoted) return this.act.refuse(`${name} is too large with ${file.size >> 10} KB: at most ${maxQuoted >> 10} KB can be quoted`);
    const text = await file.text().catch(() => "\0");
    if (text.includes("\0")) return this.act.refuse(`${name} is a folder or no text: add it from the explorer`);
    this.act.insert(`${name}:\n${quote(text)}`);
  }
}

/** Whether something that is dragged may be a file: what it is can't be read before it is dropped. */
function mayHaveFiles(data: DataTransfer): boolean {
  return data.types.includes("Files") || listTypes.some((type) => data.types.includes(type));
}

/** The files that are named. Comments in a list begin with #. */
function urisOf(data: DataTransfer): string[] {
  const lists = listTypes.map((type) => data.getData(type).split(/\r?\n/).filter((line) => /^(file|vscode-remote):/.test(line)));
  return lists.find((list) => list.length > 0) ?? [];
}
