// What screen readers say by themselves. The log is silent while it grows, since an answer
// would be read piece by piece; what matters is said once, when it has happened.
import { byId } from "./dom";

/** The most of a text that is said, in UTF-16 code units. The rest can be read in the log. */
const most = 1000;

export class Announcer {
  private readonly status = byId("announcer");
  private readonly alarm = byId("alarm");

  /** Says a text when the screen reader is idle. */
  say(text: string): void {
    this.status.textContent = text.length > most ? `${text.slice(0, most)}…` : text;
  }

  /** Says at once what the user has to know or to decide. */
  interrupt(text: string): void {
    this.alarm.textContent = text;
  }

  /** Forgets what was said, so that the same text is said again. */
  clear(): void {
    this.status.textContent = this.alarm.textContent = "";
  }
}
