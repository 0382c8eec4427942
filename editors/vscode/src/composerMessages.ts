// The messages between the extension and the composer, the input of the chat.
import type { Chip } from "./chip";
import type { ChatCompletion, ClientAction } from "./protocol";

/** What the user writes: a next message, or an earlier one anew. */
export interface Draft {
  text: string;
  chips: Chip[];
  /** When it was last changed, in milliseconds since 1970. */
  at: number;
  /** The earlier message in place of which it is sent. */
  edits?: Edited;
  /** What was written before an earlier message was edited. */
  before?: Draft;
}

/** A message that the user sends. */
export interface Sent {
  text: string;
  attachments: Chip[];
  /** The earlier message in place of which it is sent. */
  edits?: Edited;
}

/** A stored message. */
export interface Edited {
  conversation: string;
  message: string;
  /** The key of its turn in the log. */
  turn: string;
}

export type ToComposer =
  | { type: "focus" }
  /** The draft that the extension has kept. The webview may have a newer one. */
  | { type: "draft"; draft: Draft }
  | { type: "completions"; request: number; replace: number; items: ChatCompletion[] }
  /** Adds to the draft. It is sent until the composer says that it was added, since the webview may just be loading. */
  | { type: "add"; id: number; text: string; chips: Chip[]; problem?: string }
  /** Lets the user edit an earlier message. Sent like "add". */
  | { type: "edit"; id: number; edits: Edited; text: string; chips: Chip[] }
  /** The chip is as the server knows it, or can't be sent. */
  | { type: "checked"; chip: Chip; problem?: string }
  | { type: "problem"; text: string }
  /** What is selected in the editor, if the next message takes it along. */
  | { type: "selection"; chip?: Chip }
  | { type: "model"; name: string }
  /** What the user has sent before, the newest first. */
  | { type: "sent"; texts: string[] };

export type FromComposer =
  | ({ type: "send"; steer: boolean } & Sent)
  /** Keeps the draft: VS Code may write the state of a webview only after a minute. */
  | { type: "draft"; draft: Draft }
  | { type: "stop" }
  | { type: "complete"; request: number; text: string }
  /** Does what was chosen behind a slash. */
  | { type: "act"; action: ClientAction }
  | { type: "check"; chip: Chip }
  /** Attaches what was dropped or pasted. */
  | { type: "attach"; uris: string[] }
  | { type: "added"; id: number }
  | { type: "dropSelection" }
  | { type: "chooseModel" }
  | { type: "recall" };
