// Walks back through what the user has sent before: Up in the empty input, and Down
// back to the empty input.
import type { FromComposer } from "../src/composerMessages";
import type { ComposerInput } from "./composerInput";

export class ComposerRecall {
  private texts: string[] | undefined;
  /** The place of the shown text; -1 if none is shown. */
  private at = -1;

  constructor(
    private readonly input: ComposerInput,
    private readonly post: (message: FromComposer) => void,
  ) {}

  /** Handles a key; returns whether it did. */
  handleKey(key: string): boolean {
    const before = this.input.beforeCursor;
    if (before === undefined) return false;
    const walking = this.at >= 0 && this.input.text === this.texts?.[this.at];
    if (key === "ArrowUp" && (this.input.text === "" || (walking && !before.includes("\n")))) return this.back(walking);
    if (key === "ArrowDown" && walking && !this.input.text.slice(before.length).includes("\n")) return this.show(this.at - 1);
    return false;
  }

  /** Takes the texts that were asked for, and shows the newest if the input is still empty. */
  take(texts: string[]): void {
    this.texts = texts;
    if (this.input.text === "") this.show(0);
  }

  /** Forgets the texts, since there are others now. */
  forget(): void {
    this.texts = undefined;
    this.at = -1;
  }

  private back(walking: boolean): boolean {
    if (!this.texts) this.post({ type: "recall" });
    else this.show(walking ? this.at + 1 : 0);
    return true;
  }

  private show(at: number): boolean {
    const text = at < 0 ? "" : this.texts?.[at];
    if (text === undefined) return true; // there is no older one
    this.at = at;
    this.input.text = text;
    this.input.moveToEnd();
    return true;
  }
}
