// How many lines an edit adds and removes, in short; "" if none.
export function plus(lines: number): string {
  return lines > 0 ? `+${lines}` : "";
}

export function minus(lines: number): string {
  return lines > 0 ? `−${lines}` : "";
}
