// The messages between the extension and what the chat shows beside conversations: the
// welcome in an empty chat, and why the server does not run.
import type { ServerAction, ServerProblem } from "./serverHealth";

export type ToGuide =
  /** Questions to begin with; keyless if the embedded model answers them. */
  | { type: "welcome"; questions: string[]; keyless: boolean }
  /** Without a problem the server runs, or is about to. */
  | { type: "server"; problem?: ServerProblem };

/** The action is a command of the extension. */
export type FromGuide = { type: "ask"; text: string } | { type: "run"; action: ServerAction | "addModel" };
