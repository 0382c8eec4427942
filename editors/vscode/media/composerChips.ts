// What goes along with the next message: a row of chips, which can be removed.
import { type Chip, keyOf } from "../src/chip";
import { button, byId, element } from "./dom";

export class ComposerChips {
  private readonly node = byId("chips");
  private chips = new Map<string, Chip>();
  /** The keys of the chips at which the server still looks. */
  private readonly checking = new Set<string>();
  private selection: Chip | undefined;
  private frame = 0;

  constructor(private readonly act: { changed(): void; dropSelection(): void; focusInput(): void }) {
    this.node.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** The chips that the user has added. */
  get added(): Chip[] {
    return [...this.chips.values()];
  }

  /** Everything that goes along, each once. */
  get all(): Chip[] {
    const { selection } = this;
    return selection && !this.has(selection) ? [...this.added, selection] : this.added;
  }

  has(chip: Chip): boolean {
    return this.chips.has(keyOf(chip));
  }

  set(chips: Chip[]): void {
    this.checking.clear();
    this.chips = new Map(chips.map((chip) => [keyOf(chip), chip]));
    this.draw();
  }

  /** Adds a chip at which the server still looks, which it says. It can be sent all the same: then the server looks first. */
  addUnchecked(chip: Chip): void {
    this.checking.add(keyOf(chip));
    this.chips.set(keyOf(chip), chip);
    this.draw();
  }

  /** Draws a chip as the server knows it. */
  checked(chip: Chip): void {
    this.checking.delete(keyOf(chip));
    this.chips.set(keyOf(chip), chip);
    this.draw();
  }

  remove(chip: Chip): void {
    this.chips.delete(keyOf(chip));
    this.draw();
  }

  /** Removes the last chip, as Backspace at the beginning of the text does. */
  removeLast(): void {
    const last = this.added.at(-1);
    if (last) this.remove(last);
    else if (this.selection) this.act.dropSelection();
  }

  /** Shows what is selected in the editor. */
  select(chip: Chip | undefined): void {
    this.selection = chip;
    this.draw();
  }

  /** Many changes in a row, such as those of dropped files, are drawn once. */
  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    const { selection } = this;
    const shown = this.added.map((chip) => {
      const drawn = drawChip(chip, "chip", () => this.remove(chip));
      if (this.checking.has(keyOf(chip))) drawn.setAttribute("aria-busy", "true");
      return drawn;
    });
    if (selection && !this.has(selection)) {
      const drawn = drawChip(selection, "chip selection", this.act.dropSelection);
      drawn.title = `The selected lines go along with the next message: ${decodeURIComponent(selection.uri)}`;
      shown.push(drawn);
    }
    this.node.replaceChildren(...shown);
    this.node.hidden = shown.length === 0;
    this.act.changed();
  }

  /** Removes the chip that has the focus, and moves the focus to its neighbour. */
  private handleKey(event: KeyboardEvent): void {
    const buttons = [...this.node.querySelectorAll("button")];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move) return buttons[at + move]?.focus();
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    buttons[at]?.click();
    this.drawNow();
    const left = this.node.querySelectorAll("button");
    if (left.length > 0) left[Math.min(at, left.length - 1)]?.focus();
    else this.act.focusInput();
  }
}

function drawChip(chip: Chip, className: string, remove: () => void): HTMLElement {
  const cross = button("×", "remove", remove);
  cross.setAttribute("aria-label", `Remove ${chip.label}`);
  const node = element("span", chip.folder ? `${className} folder` : className, element("span", "label", chip.label), cross);
  node.setAttribute("role", "listitem");
  node.title = decodeURIComponent(chip.uri);
  return node;
}
