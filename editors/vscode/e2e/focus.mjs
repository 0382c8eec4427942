// The keyboard focus when the button that has it disappears: it stays in the chat, near the
// place where it was.
export const shared = true;

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { page, chat } = workbench;
  const turn = workbench.lastTurn;
  const focused = (selector) => chat.locator(`${selector}:focus`).waitFor();
  await open({ indexed: true, chat: true });

  await check("a decision leaves the focus on its card", async () => {
    await workbench.ask("rename ParseName to ReadName");
    await workbench.turnEnd();
    await press("Accept", turn.locator(".proposal"));
    await turn.locator(".proposal").getByText("Applied", { exact: true }).waitFor();
    await focused("article.proposal");
    await capture("36-focus-after-accept");
    await page.keyboard.press("Tab");
    await focused("article.proposal button");
  });

  await check("an answered permission request leaves the focus on its card", async () => {
    await useModel("scripted/manual");
    await workbench.newConversation();
    await workbench.ask("check: focus");
    await press("Reject", turn.locator(".permission"));
    await turn.locator(".permission").getByText("Rejected").waitFor();
    await focused("article.permission");
    await turn.getByText("Answer to check").waitFor();
    model.goOn();
    await workbench.idle();
  });

  await check("a question that is asked again leaves the focus on the log", async () => {
    await useModel("scripted/failing");
    await workbench.newConversation();
    await workbench.ask("fail with 500");
    await turn.locator(".failure").waitFor();
    await workbench.idle();
    model.works = true;
    await press("Retry", turn);
    await turn.getByText("It works now.").waitFor();
    await workbench.idle();
    await focused("#log");
    model.works = false;
  });

  await check("a problem that is closed, a stopped answer and a withdrawn message leave the focus on the input", async () => {
    await workbench.type("/nonsense");
    await chat.getByRole("button", { name: "Send" }).click();
    await press("Close the message", chat.locator("#problems"));
    await chat.locator("#problems").waitFor({ state: "hidden" });
    await focused("#input");
    await useModel("scripted/manual");
    await workbench.newConversation();
    await workbench.ask("run on");
    await turn.getByText("Answer to run on").waitFor();
    await workbench.type("and then");
    await chat.getByLabel("chat input").press("Enter");
    await press("Withdraw", chat.locator("#queue"));
    await chat.locator("#queue").waitFor({ state: "hidden" });
    await focused("#input");
    await press("Stop", chat.locator("#form"));
    await workbench.idle();
    await focused("#input");
  });

  /** Presses a button with the keyboard. */
  async function press(name, within) {
    await within.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  }
}
