// The turns that run, or wait, in the conversations of this window.
import type { Sent } from "./composerMessages";
import type { Conversation, TurnEvent } from "./transcript";
import type { DrawnPart } from "./webviewMessages";

export interface Turn {
  /** Identifies the turn in the webview. */
  key: string;
  /** The server's id, once it is known. */
  turnId?: string;
  title: string;
  /** What was sent to begin the turn, if it began here. */
  sent?: Sent;
  conversation: Conversation;
  waits: boolean;
  /** When the model began the thought that it is thinking, in milliseconds since 1970. */
  thinking?: number;
  stop(): void;
}

export class Turns {
  private readonly byKey = new Map<string, Turn>();

  get all(): Turn[] {
    return [...this.byKey.values()];
  }

  /** The turns of a conversation, the oldest first. */
  of(conversation: Conversation): Turn[] {
    return this.all.filter((turn) => turn.conversation === conversation);
  }

  get(key: string): Turn | undefined {
    return this.byKey.get(key);
  }

  /** Finds a turn by the server's id. */
  withId(turnId: string): Turn | undefined {
    return this.all.find((turn) => turn.turnId === turnId);
  }

  add(turn: Turn): void {
    this.byKey.set(turn.key, turn);
  }

  /** Removes a turn, and returns it if it was there. */
  remove(key: string): Turn | undefined {
    const turn = this.byKey.get(key);
    this.byKey.delete(key);
    return turn;
  }
}

/** Returns a part that is drawn, a thought with the time since it began. */
export function timed(turn: Turn, event: Extract<TurnEvent, DrawnPart>): DrawnPart {
  if (event.type !== "thought") {
    turn.thinking = undefined;
    return event;
  }
  turn.thinking ??= Date.now();
  return { ...event, durationMs: Date.now() - turn.thinking };
}
