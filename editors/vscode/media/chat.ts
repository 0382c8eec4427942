// The chat's webview: a log that draws the messages of the extension, and a composer.
// Both report the user's actions.
import type { ToView } from "../src/webviewMessages";
import { Composer } from "./composer";
import { Log } from "./log";
import { keep, post, state } from "./viewState";

const composer = new Composer(post, {
  load: () => state().draft ?? "",
  save: (draft) => keep({ draft }),
});
const log: Log = new Log(post, {
  load: (conversation) => (state().read?.conversation === conversation ? state().read?.position : undefined),
  save: (conversation, position) => keep({ read: { conversation, position } }),
}, () => composer.drawBusy(log.busy));

window.addEventListener("message", ({ data }) => {
  const message = data as ToView;
  if (message.type === "focus") composer.focus();
  else log.draw(message);
});
post({ type: "ready" });
