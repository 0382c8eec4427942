// What the chat shows beside conversations: questions in an empty chat, and why the
// server does not run, with what to do.
import type { FromGuide, ToGuide } from "../src/guideMessages";
import type { ServerAction } from "../src/serverHealth";
import { button, byId, element } from "./dom";

const labels: Record<ServerAction, string> = {
  installHelp: "Installation help",
  openServerSettings: "Open settings",
  restartServer: "Restart",
  showLog: "Show log",
};

export class Guide {
  private readonly welcome = element("div", "welcome-more");
  private readonly notice = element("section", "server-problem");

  constructor(private readonly post: (message: FromGuide) => void) {
    byId("welcome").append(this.welcome);
    this.notice.setAttribute("role", "alert");
    this.notice.hidden = true;
    byId("form").before(this.notice);
  }

  draw(message: ToGuide): void {
    if (message.type === "welcome") this.drawWelcome(message.questions, message.keyless);
    else this.drawProblem(message.problem);
  }

  private drawWelcome(questions: string[], keyless: boolean): void {
    this.welcome.replaceChildren();
    if (questions.length > 0) {
      const list = element("ul", "examples", ...questions.map((text) =>
        element("li", "", button(text, "example", () => this.post({ type: "ask", text })))));
      list.setAttribute("aria-label", "questions about this folder");
      this.welcome.append(element("p", "", "For example, about this folder:"), list);
    }
    if (!keyless) return;
    const add = button("Add a model…", "link", () => this.post({ type: "run", action: "addModel" }));
    this.welcome.append(element("p", "", "The embedded model answers from the index. It needs no key and no network. ", add));
  }

  private drawProblem(problem: (ToGuide & { type: "server" })["problem"]): void {
    this.notice.hidden = !problem;
    this.notice.replaceChildren();
    if (!problem) return;
    const actions = problem.actions.map((action, place) =>
      button(labels[action], place === 0 ? "" : "secondary", () => this.post({ type: "run", action })));
    this.notice.append(element("h4", "", problem.title), element("p", "", problem.text), element("div", "actions", ...actions));
  }
}
