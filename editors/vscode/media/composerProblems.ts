// What the composer could not do, above the input. It is read out, and stays until the
// next message or until the user closes it.
import { button, byId, element } from "./dom";

/** How many problems are shown at once. */
const shown = 3;

export class ComposerProblems {
  private readonly node = byId("problems");
  private texts: string[] = [];

  add(text: string): void {
    if (!this.texts.includes(text)) this.texts.push(text);
    this.draw();
  }

  clear(): void {
    this.texts = [];
    this.draw();
  }

  private draw(): void {
    const more = this.texts.length - shown;
    const lines = this.texts.slice(-shown).map((text) => element("div", "", text));
    if (more > 0) lines.unshift(element("div", "", `${more} more before:`));
    const close = button("×", "remove", () => this.clear());
    close.setAttribute("aria-label", "Close the message");
    this.node.hidden = lines.length === 0;
    this.node.replaceChildren(...(lines.length > 0 ? [element("div", "lines", ...lines), close] : []));
  }
}
