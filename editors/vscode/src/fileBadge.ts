// The word for what a proposal makes of a whole file.
import type { FileOp } from "./protocol";

/** Returns "" for a file that is only edited. */
export function badgeOf(op: FileOp): string {
  return badges[op];
}

const badges: Record<FileOp, string> = { edit: "", create: "new", delete: "deleted", rename: "renamed" };
