// The chat's webview: a log that draws the messages of the extension, and a composer.
// Both report the user's actions.
import type { FromView, ToView } from "../src/webviewMessages";
import { Composer } from "./composer";
import { Guide } from "./guide";
import { Log } from "./log";

declare function acquireVsCodeApi(): {
  postMessage(message: FromView): void;
  getState(): { draft: string } | undefined;
  setState(state: { draft: string }): void;
};

const editor = acquireVsCodeApi();
const post = (message: FromView) => editor.postMessage(message);
const composer = new Composer(post, {
  load: () => editor.getState()?.draft ?? "",
  save: (draft) => editor.setState({ draft }),
});
const guide = new Guide((message) => post({ type: "guide", message }));
const log: Log = new Log(post, () => composer.drawBusy(log.busy));

window.addEventListener("message", ({ data }) => {
  const message = data as ToView;
  if (message.type === "focus") composer.focus();
  else if (message.type === "guide") guide.draw(message.message);
  else log.draw(message);
});
post({ type: "ready" });
