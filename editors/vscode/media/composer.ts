// The composer: the input of the chat with its buttons. The draft survives a reload.
import type { FromView } from "../src/webviewMessages";
import { byId } from "./dom";

/** What VS Code keeps of a webview while it is hidden or reloaded. */
export interface Draft {
  load(): string;
  save(draft: string): void;
}

export class Composer {
  private readonly input = byId<HTMLTextAreaElement>("input");
  private readonly send = byId<HTMLButtonElement>("send");
  private readonly steer = byId<HTMLButtonElement>("steer");
  private readonly stop = byId<HTMLButtonElement>("stop");

  constructor(
    private readonly post: (message: FromView) => void,
    private readonly draft: Draft,
  ) {
    byId<HTMLFormElement>("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit(false);
    });
    this.steer.addEventListener("click", () => this.submit(true));
    this.stop.addEventListener("click", () => post({ type: "stop" }));
    this.input.addEventListener("input", () => this.write(this.input.value));
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.submit(event.ctrlKey || event.metaKey);
    });
    this.write(draft.load());
  }

  focus(): void {
    this.input.focus();
  }

  /** Shows whether an answer is being written. */
  drawBusy(busy: boolean): void {
    this.send.textContent = busy ? "Queue" : "Send";
    this.steer.hidden = this.stop.hidden = !busy;
    this.input.placeholder = busy ? "Ask next" : "Ask ploke";
  }

  /** Sends the draft. While an answer is written it is queued, or steers that answer. */
  private submit(steer: boolean): void {
    const text = this.input.value.trim();
    if (!text) return;
    this.post({ type: "send", text, steer });
    this.write("");
  }

  private write(draft: string): void {
    if (this.input.value !== draft) this.input.value = draft;
    this.draft.save(draft);
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }
}
