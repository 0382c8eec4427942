// The messages that draw a conversation, in order. Replaying them draws the same
// chat again.
import type { Client } from "./client";
import type { DrawnPart, ToView } from "./webviewMessages";
import { type Event, type Message, type Part, proposalGet } from "./protocol";
import { stateOf } from "./proposalState";

/** A conversation gets its id when its first turn begins. */
export interface Conversation {
  id?: string;
  transcript: ToView[];
}

/** An event of a turn. */
export type TurnEvent = Exclude<Part, { type: "index" }> & { conversationId: string; turnId: string };

export function isOfTurn(event: Event): event is TurnEvent {
  return event.turnId !== undefined;
}

/** Adds a message. Streamed text is merged into one entry, so that the transcript grows with turns, not with deltas. */
export function append(transcript: ToView[], message: ToView): void {
  const last = transcript.at(-1);
  const joined = last && join(last, message);
  if (joined) transcript[transcript.length - 1] = joined;
  else transcript.push(message);
}

function join(last: ToView, next: ToView): ToView | undefined {
  if (next.type !== "part" || last.type !== "part" || last.turn !== next.turn) return undefined;
  const { part } = next;
  if (part.type !== "message" && part.type !== "thought") return undefined;
  if (last.part.type !== part.type || "replace" in part) return undefined;
  return { ...last, part: { ...last.part, text: (last.part.text ?? "") + (part.text ?? "") } };
}

/** Returns the messages that draw a stored message; turn is its key in the webview. */
export async function drawMessage(client: Client, message: Message, turn: string): Promise<ToView[]> {
  if (message.role === "user") return [{ type: "question", text: message.text }];
  const parts: DrawnPart[] = (message.toolCalls ?? []).map(({ callId, tool, summary, error }) => ({
    type: "toolCall", callId, tool, state: error ? "failed" : "finished", summary: summary ?? error ?? "",
  }));
  parts.push({ type: "message", text: message.text });
  const decisions: ToView[] = [];
  for (const id of message.proposals ?? []) {
    const details = await client.request(proposalGet, { id });
    const { title, files } = details.proposal;
    parts.push({ type: "proposal", id, title, status: details.proposal.status, files: files.map((file) => file.path) });
    decisions.push({ type: "decided", proposal: id, state: stateOf(details) });
  }
  const drawn = parts.map((part): ToView => ({ type: "part", turn, part }));
  const resumable = message.status === "interrupted";
  return [{ type: "turn", turn }, ...drawn, ...decisions, { type: "finished", turn, outcome: endings[message.status], resumable }];
}

const endings: Record<Message["status"], string> = {
  completed: "",
  pending: "Not answered here; another editor runs it",
  cancelled: "Stopped",
  failed: "Failed",
  interrupted: "Interrupted",
};
