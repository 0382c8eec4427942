// The chat's webview: a log that draws the messages of the extension, and a composer.
// Both report the user's actions.
import type { ToView } from "../src/webviewMessages";
import { Composer } from "./composer";
import { keepFocus } from "./focus";
import { Guide } from "./guide";
import { Log } from "./log";
import { ReviewBar } from "./reviewBar";
import { keep, positions, post, state } from "./viewState";

const log: Log = new Log(post, positions, () => composer.drawBusy(log.busy));
const composer: Composer = new Composer((message) => post({ type: "composer", message }), {
  load: () => state().draft,
  save: (draft) => keep({ draft }),
}, (turn) => log.markEdited(turn));
const guide = new Guide((message) => post({ type: "guide", message }));
const reviewBar = new ReviewBar((action) => post({ type: "review", action }));

window.addEventListener("message", ({ data }) => {
  const message = data as ToView;
  if (message.type === "composer") return composer.handle(message.message);
  if (message.type === "guide") return guide.draw(message.message);
  if (message.type === "review") return reviewBar.draw(message.summary);
  if (message.type === "replay") composer.changeConversation();
  log.draw(message);
});
keepFocus();
post({ type: "ready" });
