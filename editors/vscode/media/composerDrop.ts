// Files that are dragged onto the chat, or pasted into the input. What names a file is
// attached; what only has a content becomes a quoted block, and an image is refused.
import type { FromComposer } from "../src/composerMessages";
import { byId } from "./dom";
import { quote } from "../src/quote";

/** What VS Code, and other programs, write about dragged files. */
const listTypes = ["application/vnd.code.uri-list", "text/uri-list"];

/** The size above which a text is not taken into the input, which would become slow, and models refuse it. */
const maxQuoted = 128 * 1024;

/** The size above which a browser takes seconds to paste a text as if it were typed, line by line. */
const maxTyped = 8 * 1024;

export class ComposerDrop {
  constructor(
    input: HTMLElement,
    private readonly act: { post(message: FromComposer): void; paste(text: string): void; insert(text: string): void; refuse(problem: string): void },
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
    const text = data?.getData("text/plain") ?? "";
    const files = data && !text ? [...data.files] : [];
    if (uris.length === 0 && files.length === 0 && text.length <= maxTyped) return;
    event.preventDefault();
    if (uris.length > 0) this.act.post({ type: "attach", uris });
    else if (text.length > maxQuoted) this.act.refuse(tooLarge("The pasted text", text.length));
    else if (text) this.act.paste(text);
    else for (const file of files) void this.quoteFile(file);
  }

  private async quoteFile(file: File): Promise<void> {
    const name = file.name || "The pasted data";
    if (file.type.startsWith("image/")) return this.act.refuse(`${name} is an image, and only text is sent to a model`);
    if (file.size > maxQuoted) return this.act.refuse(tooLarge(name, file.size));
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

function tooLarge(name: string, size: number): string {
  return `${name} is too large with ${size >> 10} KB: at most ${maxQuoted >> 10} KB fit. Save it in the folder, and attach the lines that matter`;
}
