// What the extension and the chat's webview say to each other. The webview
// keeps no state of its own worth keeping: replaying the messages to it since
// the last "clear" draws the same chat again.
import type { Citation, Part } from "./requests";

export type ToView =
  | { type: "clear" }
  | { type: "question"; text: string }
  | { type: "turn"; turn: string }
  | { type: "part"; turn: string; part: Part }
  | { type: "finished"; turn: string; outcome: string }
  | { type: "decided"; proposal: string; status: string }
  | { type: "focus" };

export type FromView =
  | { type: "ready" }
  | { type: "send"; text: string }
  | { type: "stop" }
  | { type: "openCitation"; citation: Citation }
  | { type: "openLink"; href: string }
  | { type: "showProposal" | "acceptProposal" | "rejectProposal"; proposal: string };
