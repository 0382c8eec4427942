// The messages that draw a conversation, in order. Replaying them draws the same
// chat again.
import { chipOf } from "./chip";
import type { Client } from "./client";
import type { Drawing, Ending, Undrawn } from "./webviewMessages";
import { type ChatSendResult, type Event, type Message, type Part, proposalGet } from "./protocol";
import { stateOf } from "./proposalState";

/** Stands for the parent of a conversation's first message. */
export const root = "root";

/** A branch of a conversation, which gets its id when its first turn begins. */
export interface Conversation {
  id?: string;
  /** The last message of the branch, or "root" before the first one; undefined if the newest message is on the branch. */
  leaf?: string;
  transcript: Drawing[];
  /** The ids of the stored questions, by the keys of their turns and of their answers. */
  questions: Map<string, string>;
}

export function newConversation(id?: string, leaf?: string): Conversation {
  return { ...(id && { id }), ...(leaf && { leaf }), transcript: [], questions: new Map() };
}

/** An event of a turn. */
export type TurnEvent = Exclude<Part, { type: "index" }> & { conversationId: string; turnId: string };

export function isOfTurn(event: Event): event is TurnEvent {
  return event.turnId !== undefined;
}

/** Adds a message. Streamed text is merged into one entry, so that the transcript grows with turns, not with deltas. */
export function append(transcript: Drawing[], message: Drawing): void {
  const last = transcript.at(-1);
  const joined = last && join(last, message);
  if (joined) transcript[transcript.length - 1] = joined;
  else transcript.push(message);
}

function join(last: Drawing, next: Drawing): Drawing | undefined {
  if (next.type !== "part" || last.type !== "part" || last.turn !== next.turn) return undefined;
  const { part } = next;
  if (part.type === "toolOutput" && last.part.type === part.type && last.part.callId === part.callId) {
    return { ...last, part: { ...last.part, text: last.part.text + part.text } };
  }
  if (part.type !== "message" && part.type !== "thought") return undefined;
  if (last.part.type !== part.type || "replace" in part) return undefined;
  return { ...last, part: { ...last.part, ...part, text: (last.part.text ?? "") + (part.text ?? "") } };
}

/** Returns the messages that draw a stored message; turn is its key in the webview. */
export async function drawMessage(client: Client, message: Message, turn: string): Promise<Drawing[]> {
  if (message.role === "user") return [{ type: "question", turn, text: message.text, chips: (message.attachments ?? []).map(chipOf) }];
  const drawn: Drawing[] = [{ type: "turn", turn }];
  for (const part of (message.parts ?? []).filter(isDrawn)) {
    drawn.push({ type: "part", turn, part });
    if (part.type === "proposal") drawn.push({ type: "decided", proposal: part.id, state: stateOf(await client.request(proposalGet, { id: part.id })) });
  }
  return [...drawn, { type: "finished", turn, ...endingOf(message) }];
}

const undrawn: Undrawn["type"][] = ["turnQueued", "turnStarted", "turnFinished", "index", "evidence"];

function isDrawn(part: Part): part is Exclude<Part, Undrawn> {
  return !(undrawn as string[]).includes(part.type);
}

function endingOf({ status, error, errorKind: kind, stopReason, model, usage, context }: Message): Ending {
  const failed = status === "failed" && stopReason !== "limit";
  const outcome = stopReason === "limit" ? outcomes.limit : endings[status];
  return {
    outcome: failed || !error ? outcome : `${outcome}: ${error}`,
    resumable: status === "interrupted" || stopReason === "limit",
    ...(failed && { failure: { text: error ?? "", kind } }),
    ...(model && { account: { model, usage, context } }),
  };
}

/** How a turn of this window has ended. */
export function endingOfResult({ stopReason, error, errorKind: kind, model, usage, context }: ChatSendResult): Ending {
  const failed = stopReason === "error";
  return {
    outcome: failed || !error ? outcomes[stopReason] : `${outcomes[stopReason]}: ${error}`,
    resumable: stopReason === "limit",
    ...(failed && { failure: { text: error ?? "", kind } }),
    ...(model && { account: { model, usage, context } }),
  };
}

/** The text below an ended answer, by its stop reason. */
const outcomes = {
  done: "",
  cancelled: "Stopped",
  limit: "Ended at a limit",
  error: "Failed",
};

const endings: Record<Message["status"], string> = {
  completed: "",
  pending: "Not answered here; another editor runs it",
  cancelled: "Stopped",
  failed: "Failed",
  interrupted: "Interrupted",
};
