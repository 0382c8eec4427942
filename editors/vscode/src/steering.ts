// The messages that steer a running turn. The server says when it has stored each. Then it joins the turn at its next
// step, or is answered in a turn of its own. What the server has not stored goes back to the person.
import type { Sent } from "./composerMessages";
import type { OpenConversations } from "./openConversations";
import type { Conversation, TurnEvent } from "./transcript";

export interface SteeringMessage {
  key: string;
  sent: Sent;
  conversation: Conversation;
  /** The turn that it waits for, once the server has stored it. */
  turnId?: string;
  stop(): void;
}

interface Waiting extends SteeringMessage {
  /** The server's id of the message, once it is stored. */
  id?: string;
  joined?: boolean;
}

export class Steering {
  private readonly messages = new Map<string, Waiting>();

  constructor(private readonly open: OpenConversations) {}

  has(key: string): boolean {
    return this.messages.has(key);
  }

  begin(message: SteeringMessage): void {
    this.messages.set(message.key, { ...message });
    this.open.record(message.conversation, { type: "joining", message: message.key, text: message.sent.text });
  }

  /** Handles what the server says to a message. Reports whether it was about a turn that it joins. */
  handle(key: string, event: TurnEvent): boolean {
    const message = this.messages.get(key);
    if (!message) return false;
    if (event.type === "steering") {
      message.id = event.id;
      message.turnId = event.turnId;
      this.open.record(message.conversation, { type: "stored", message: key });
    } else if (event.type === "userMessage" && event.id === message.id) {
      message.joined = true;
      this.open.record(message.conversation, { type: "joined", message: key });
    }
    return message.id !== undefined;
  }

  /** Ends a message, and returns it if it has joined no turn. */
  end(key: string): SteeringMessage | undefined {
    const message = this.messages.get(key);
    if (!message || !this.messages.delete(key) || message.joined) return undefined;
    this.open.record(message.conversation, { type: "joined", message: key });
    const { sent, conversation, turnId, stop } = message;
    return { key, sent, conversation, ...(turnId && { turnId }), stop };
  }
}
