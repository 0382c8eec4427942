// Branches: an earlier message is edited or asked again, and the user goes from one
// branch to the other.
import assert from "node:assert/strict";
import { eventually } from "./eventually.mjs";

export const shared = true;

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { page, chat } = workbench;
  const input = chat.getByLabel("chat input");
  const question = (text) => chat.locator(".question", { hasText: text });
  const fork = (text) => question(text).locator(".fork");
  const questions = () => chat.locator("#log > .question .text").allInnerTexts();
  const press = async (text, name) => {
    await question(text).hover();
    await question(text).getByRole("button", { name }).click();
  };
  const edit = async (text) => {
    await press(text, "Edit this message");
    await chat.getByText("Editing an earlier message").waitFor();
  };
  await open({ indexed: true, chat: true });
  await useModel("scripted/said");
  const ask = async (text, answer) => {
    model.said = answer;
    await workbench.ask(text);
    await workbench.turnEnd();
    await workbench.lastTurn.getByText(answer).waitFor();
  };

  await check("an edited message begins a branch, and the first one is still there", async () => {
    await workbench.newConversation();
    await ask("one", "First answer");
    await ask("two", "Second answer");
    await ask("three", "Third answer");
    await input.fill("for later");
    await edit("two");
    assert.equal(await input.inputValue(), "two");
    await capture("50-editing");
    await input.press("Escape");
    await chat.getByText("Editing an earlier message").waitFor({ state: "hidden" });
    assert.equal(await input.inputValue(), "for later");
    await edit("two");
    await input.fill("two, but shorter");
    model.said = "Short answer";
    await input.press("Enter");
    await workbench.lastTurn.getByText("Short answer").waitFor();
    await workbench.idle();
    assert.equal(await input.inputValue(), "for later");
    await input.fill("");
    await fork("two, but shorter").getByText("2/2").waitFor();
    assert.deepEqual(await questions(), ["one", "two, but shorter"]);
    await capture("51-branch");
  });

  await check("the user goes from branch to branch, and writes on in any of them", async () => {
    await fork("two, but shorter").getByRole("button", { name: "Previous branch" }).click();
    await fork("two").getByText("1/2").waitFor();
    assert.deepEqual(await questions(), ["one", "two", "three"]);
    await workbench.reloadWindow();
    await workbench.showChat();
    await fork("two").getByText("1/2").waitFor();
    assert.deepEqual(await questions(), ["one", "two", "three"]);
    await ask("four", "Fourth answer");
    assert.deepEqual(await questions(), ["one", "two", "three", "four"]);
    await fork("two").getByRole("button", { name: "Next branch" }).click();
    await fork("two, but shorter").getByText("2/2").waitFor();
    assert.deepEqual(await questions(), ["one", "two, but shorter"]);
  });

  await check("a question is asked again beside the first time, also the first of all", async () => {
    model.said = "Another first answer";
    await press("one", "Ask again");
    await workbench.lastTurn.getByText("Another first answer").waitFor();
    await workbench.idle();
    await fork("one").getByText("2/2").waitFor();
    assert.deepEqual(await questions(), ["one"]);
    await fork("one").getByRole("button", { name: "Previous branch" }).click();
    await fork("one").getByText("1/2").waitFor();
    await chat.locator("#log > .turn").first().getByText("First answer", { exact: true }).waitFor();
    assert.deepEqual(await questions(), ["one", "two", "three", "four"]);
  });

  await check("an edit that can't be sent is given back with the branch", async () => {
    await workbench.newConversation();
    await ask("alpha", "First answer");
    await ask("beta", "Second answer");
    await edit("beta");
    await input.fill("/nonsense");
    await input.press("Enter");
    await chat.locator("#problems", { hasText: "there is no command /nonsense" }).waitFor();
    await workbench.inputSays("/nonsense");
    await chat.getByText("Editing an earlier message").waitFor();
    await workbench.lastTurn.getByText("Second answer").waitFor();
    await eventually(async () => assert.deepEqual(await questions(), ["alpha", "beta"]));
    await capture("52-refused-edit");
    await chat.getByRole("button", { name: "Cancel" }).click();
  });

  await check("an edit while the answer is written stops that answer", async () => {
    await useModel("scripted/manual");
    await workbench.newConversation();
    await workbench.ask("slow");
    await workbench.lastTurn.getByText("Answer to slow").waitFor();
    await edit("slow");
    await input.fill("quick");
    await input.press("Enter");
    await workbench.lastTurn.getByText("Answer to quick").waitFor();
    model.goOn();
    await workbench.idle();
    await fork("quick").getByText("2/2").waitFor();
  });
}
