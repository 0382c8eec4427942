// The messages that steer a running turn. Each joins it at its next step, or begins a
// turn of its own.
import type { Sent } from "./composerMessages";
import type { OpenConversations } from "./openConversations";
import type { Conversation } from "./transcript";

export interface SteeringMessage {
  key: string;
  sent: Sent;
  conversation: Conversation;
  stop(): void;
}

export class Steering {
  private readonly messages = new Map<string, SteeringMessage>();
  private readonly joined = new Set<string>();

  constructor(private readonly open: OpenConversations) {}

  has(key: string): boolean {
    return this.messages.has(key);
  }

  begin(message: SteeringMessage): void {
    this.messages.set(message.key, message);
    this.open.record(message.conversation, { type: "joining", message: message.key, text: message.sent.text });
  }

  /** Notes that a message with this text has joined the running turn of a conversation. */
  join(conversation: Conversation, text: string): void {
    const waiting = [...this.messages.values()].filter(({ key }) => !this.joined.has(key));
    const message = waiting.find((each) => each.conversation === conversation && each.sent.text === text);
    if (!message) return;
    this.joined.add(message.key);
    this.open.record(conversation, { type: "joined", message: message.key });
  }

  /** Ends a message, and returns it if it has joined no turn. */
  end(key: string): SteeringMessage | undefined {
    const message = this.messages.get(key);
    if (!message || !this.messages.delete(key) || this.joined.delete(key)) return undefined;
    this.open.record(message.conversation, { type: "joined", message: key });
    return message;
  }
}
