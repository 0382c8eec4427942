// The composer: the input of the chat with its chips and buttons. The draft survives a
// reload, and is only gone once it was sent.
import type { Chip } from "../src/chip";
import type { Draft, Edited, FromComposer, ToComposer } from "../src/composerMessages";
import { ComposerChips } from "./composerChips";
import { ComposerCompletion } from "./composerCompletion";
import { ComposerDrop } from "./composerDrop";
import { ComposerInput } from "./composerInput";
import { ComposerProblems } from "./composerProblems";
import { ComposerRecall } from "./composerRecall";
import { byId } from "./dom";
import { icon } from "./icons";
import { takeBackLast } from "./queue";

/** What VS Code keeps of a webview while it is hidden or reloaded. */
export interface DraftStore {
  load(): Draft | undefined;
  save(draft: Draft): void;
}

export class Composer {
  private readonly input = new ComposerInput(() => this.changed());
  private readonly chips: ComposerChips;
  private readonly completion: ComposerCompletion;
  private readonly recall: ComposerRecall;
  private readonly problems = new ComposerProblems();
  private readonly send = byId<HTMLButtonElement>("send");
  private readonly model = byId<HTMLButtonElement>("model");
  private readonly editing = byId("editing");
  private readonly taken = new Set<number>();
  private edits: Edited | undefined;
  /** What was written before an earlier message was edited. */
  private before: Draft | undefined;
  private busy = false;
  private loaded = false;
  /** When the draft was last changed. */
  private at = 0;
  /** What it was then. */
  private content = "";
  private keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly post: (message: FromComposer) => void,
    private readonly store: DraftStore,
    private readonly marks: (turn: string | undefined) => void,
  ) {
    this.chips = new ComposerChips({
      changed: () => this.changed(),
      dropSelection: () => post({ type: "dropSelection" }),
      focusInput: () => this.input.focus(),
    });
    this.completion = new ComposerCompletion(this.input, post, ({ label, attachment, action }) => {
      if (attachment) this.attach({ ...attachment, label });
      if (action) post({ type: "act", action });
    });
    this.recall = new ComposerRecall(this.input, post);
    new ComposerDrop(this.input.node, {
      post, paste: (text) => this.input.paste(text), insert: (text) => this.input.addParagraph(text), refuse: (problem) => this.problems.add(problem),
    });
    this.listen();
    const kept = store.load() ?? empty;
    this.write(kept);
    this.at = kept.at;
    this.content = this.contentNow;
    this.loaded = true;
    this.input.node.readOnly = false; // what was typed before would be lost
  }

  handle(message: ToComposer): void {
    switch (message.type) {
      case "focus":
        return this.input.focus();
      case "draft":
        return message.draft.at > this.draft.at ? this.write(message.draft) : undefined;
      case "completions":
        return this.completion.show(message);
      case "add":
        return this.once(message.id, () => this.add(message.text, message.chips, message.problem));
      case "edit":
        return this.once(message.id, () => this.edit(message));
      case "checked":
        return this.check(message.chip, message.problem);
      case "problem":
        return this.problems.add(message.text);
      case "selection":
        return this.chips.select(message.chip);
      case "model":
        this.model.textContent = message.name;
        return;
      case "sent":
        return this.recall.take(message.texts);
    }
  }

  /** Shows whether an answer is being written. */
  drawBusy(busy: boolean): void {
    this.busy = busy;
    this.drawSend();
    this.input.node.placeholder = busy ? "Ask next" : "Ask ploke, @ attaches files";
  }

  /** The one button sends, queues, or stops the answer if nothing is written. */
  private drawSend(): void {
    const stops = this.stops;
    const label = stops ? "Stop" : this.busy && !this.edits ? "Queue" : "Send";
    if (this.send.getAttribute("aria-label") === label) return;
    this.send.setAttribute("aria-label", label);
    this.send.title = titles[label];
    this.send.classList.toggle("stop", stops);
    this.send.replaceChildren(icon(stops ? "stop" : "up"));
  }

  private get stops(): boolean {
    return this.busy && !this.edits && this.input.text.trim() === "";
  }

  /** Forgets what was sent in another conversation than the one that is shown now. */
  changeConversation(): void {
    this.recall.forget();
  }

  private listen(): void {
    byId<HTMLFormElement>("form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.stops) this.post({ type: "stop" });
      else this.submit(false);
      this.input.focus();
    });
    this.model.addEventListener("click", () => this.post({ type: "chooseModel" }));
    byId("cancel-edit").addEventListener("click", () => this.endEdit());
    byId("add-context").addEventListener("click", () => this.addContext());
    this.input.node.addEventListener("keydown", (event) => this.handleKey(event));
    this.input.node.addEventListener("blur", () => this.keep()); // the chat may move to an editor next
    document.addEventListener("keydown", (event) => this.handleEscape(event));
  }

  private handleKey(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (event.isComposing || this.completion.handleKey(event)) return;
    if (key === "Enter" && !shiftKey && !altKey) {
      event.preventDefault();
      this.submit(ctrlKey || metaKey);
    } else if (key === "Backspace" && this.input.beforeCursor === "") {
      this.chips.removeLast();
    } else if (key === "ArrowUp" && this.input.text === "" && takeBackLast()) {
      event.preventDefault();
    } else if (!shiftKey && !ctrlKey && !metaKey && !altKey && this.recall.handleKey(key)) {
      event.preventDefault();
    }
  }

  /** Escape ends what is nearest: an edit, or the running answer. */
  private handleEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    if (this.edits) this.endEdit();
    else if (this.busy) this.post({ type: "stop" });
    else return;
    event.preventDefault();
    event.stopPropagation(); // the workbench's keybinding would stop the answer, too
  }

  /** Sends the draft. While an answer is written it is queued, or steers that answer. */
  private submit(steer: boolean): void {
    const text = this.input.text.trim();
    if (!text) return;
    this.completion.close();
    this.problems.clear();
    const { edits } = this;
    this.post({ type: "send", text, steer: steer && this.busy && !edits, attachments: this.chips.all, ...(edits && { edits }) });
    this.post({ type: "dropSelection" });
    this.recall.forget();
    this.write(this.before ?? empty);
    this.post({ type: "draft", draft: this.draft });
  }

  /** Does what the extension asks for, and tells it, so that it does not ask again. */
  private once(id: number, work: () => void): void {
    this.post({ type: "added", id });
    if (this.taken.has(id)) return;
    this.taken.add(id);
    work();
  }

  /** Adds to the draft, which may have grown meanwhile. */
  private add(text: string, chips: Chip[], problem: string | undefined): void {
    if (text) this.input.addParagraph(text);
    for (const chip of chips) this.attach(chip);
    if (problem) this.problems.add(problem);
    this.input.focus();
  }

  private attach(chip: Chip): void {
    this.chips.addUnchecked(chip);
    this.post({ type: "check", chip });
  }

  /** Draws a chip as the server knows it, or says why it can't be sent. */
  private check(chip: Chip, problem: string | undefined): void {
    if (!this.chips.has(chip)) return;
    if (!problem) return this.chips.checked(chip);
    this.chips.remove(chip);
    this.problems.add(problem);
  }

  /** Begins "@", as typing does. */
  private addContext(): void {
    this.input.focus();
    const before = this.input.beforeCursor ?? "";
    this.input.replaceBefore(0, !before || /\s$/.test(before) ? "@" : " @");
  }

  private edit({ edits, text, chips }: Pick<Draft, "edits" | "text" | "chips">): void {
    this.write({ text, chips, ...(edits && { edits }), before: this.before ?? this.draft });
    this.input.focus();
    this.input.moveToEnd();
  }

  private endEdit(): void {
    this.write(this.before ?? empty);
    this.input.focus();
  }

  private get draft(): Draft {
    const { edits, before } = this;
    return { text: this.input.text, chips: this.chips.added, at: this.at, ...(edits && { edits }), ...(before && { before }) };
  }

  private get contentNow(): string {
    return JSON.stringify({ ...this.draft, at: 0 });
  }

  private write({ text, chips, edits, before }: Omit<Draft, "at">): void {
    this.edits = edits;
    this.before = before;
    this.editing.hidden = edits === undefined;
    this.marks(edits?.turn);
    this.chips.set(chips);
    this.input.text = text;
    this.drawBusy(this.busy);
  }

  private changed(): void {
    if (!this.loaded) return;
    this.drawSend();
    const content = this.contentNow;
    if (content === this.content) return; // it was only drawn, and must not hide what the extension has kept
    this.content = content;
    this.at = Date.now();
    clearTimeout(this.keeping);
    this.store.save(this.draft);
    this.keeping = setTimeout(() => this.keep(), pause);
  }

  /** Has the extension keep the draft: now, if it is not kept yet. */
  private keep(): void {
    if (this.keeping === undefined) return;
    clearTimeout(this.keeping);
    this.keeping = undefined;
    this.post({ type: "draft", draft: this.draft });
  }
}

const empty: Draft = { text: "", chips: [], at: 0 };

/** How long the user pauses before the extension keeps the draft, in milliseconds. */
const pause = 200;

const titles = {
  Send: "Send (Enter)",
  Queue: "Send after the answer (Enter), or now, to join it (Ctrl+Enter)",
  Stop: "Stop the answer (Escape)",
} as const;
