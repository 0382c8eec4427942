// What a program prints to a terminal, as text.

/** Takes out the sequences that move the cursor, colour text or talk to the terminal, and what a line overwrites. */
export function withoutControls(text: string): string {
  return text
    .replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P^_X][^\x1b]*\x1b\\|\x1b\[[0-?]*[ -\/]*[@-~]|\x1b[ -\/]*[0-~]/g, "")
    .replace(/\r+\n/g, "\n")
    .replace(/[^\n]*\r/g, "")
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
}
