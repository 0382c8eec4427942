// Where a long conversation is read: it stays there while the view is away.
import assert from "node:assert/strict";
import { markdown } from "../bench/markdown.mjs";
import { eventually } from "./eventually.mjs";

export const shared = true;

export async function run({ open, check, capture, workbench, model, useModel }) {
  const { page, chat } = workbench;
  const log = chat.locator("#log");
  await open({ indexed: true, chat: true });
  await useModel("scripted/said");
  await converse("a short one", 2, 300);
  await converse("a long one", 4, 5000);

  for (const [way, leave, turns] of [
    ["the window is reloaded", reload, [1]],
    ["another conversation is shown", switchAndBack, [0, 1, 3]],
    ["the view is hidden", hide, [0, 1, 3]],
  ]) {
    await check(`a long conversation stays where it is read: ${way}`, async () => {
      for (const turn of turns) {
        await scrollInto(turn);
        const before = await place();
        await leave();
        await eventually(async () => {
          const after = await place();
          assert.equal(after.text, before.text);
          assert.ok(Math.abs(after.top - before.top) < 4, `${before.text} was at ${before.top} and is at ${after.top}`);
        });
      }
      await capture("35-reading");
    });
  }

  await check("what is drawn above does not move what is read, also if the browser has rounded where that is", async () => {
    for (const rounded of [-1, 1]) {
      await scrollInto(1);
      const before = await place();
      await log.evaluate((node, rounded) => { // in one frame, as turns above are drawn
        node.scrollTop += rounded;
        const above = document.createElement("div");
        above.style.height = "300px";
        node.firstElementChild.append(above);
      }, rounded);
      await workbench.still(log);
      const after = await place();
      assert.equal(after.text, before.text);
      assert.ok(Math.abs(after.top - before.top) < 4, `${before.text} was at ${before.top} and is at ${after.top}`);
    }
  });

  /** Writes a conversation with answers of a length. */
  async function converse(title, turns, length) {
    await workbench.newConversation();
    for (let n = 0; n < turns; n++) {
      model.said = `Answer ${n}.\n\n${markdown(length).replaceAll("person ", `person ${n}-`)}\n\nThe end of answer ${n}.`;
      await workbench.ask(n === 0 ? title : `more ${n}`);
      await workbench.turnEnd();
      await workbench.lastTurn.getByText(`The end of answer ${n}.`).waitFor();
    }
  }

  /** Turns the mouse's wheel over the log until the middle of a turn is near its top. */
  async function scrollInto(turn) {
    await log.hover();
    for (let turned = 0, there = 0; turned < 20; turned++) {
      await workbench.still(log);
      const y = await log.evaluate((node, n) => {
        const below = (other) => other.getBoundingClientRect().top - node.getBoundingClientRect().top;
        const turn = node.querySelectorAll(":scope > .turn")[n];
        const middle = [...turn.querySelectorAll(".message p")].find((block) => block.textContent.includes(`person ${n}-13,`));
        return below(middle ?? turn) - 50;
      }, turn);
      there = Math.abs(y) < 20 ? there + 1 : 0;
      if (there === 2) return; // a turn of the wheel may still have been under way
      if (there === 0) await page.mouse.wheel(0, y);
    }
    assert.fail(`turn ${turn} is never in view`);
  }

  /** The first block below the top of the log, and how far below it is. */
  function place() {
    return log.evaluate((node) => {
      const { top } = node.getBoundingClientRect();
      const block = [...node.querySelectorAll(".message > .section > *")].find((each) => each.getBoundingClientRect().top > top);
      return { text: block.textContent.slice(0, 60), top: block.getBoundingClientRect().top - top };
    });
  }

  async function reload() {
    await workbench.reloadWindow();
    await workbench.showChat();
    await shown();
  }

  async function switchAndBack() {
    await workbench.openConversation("a short one");
    await workbench.openConversation("a long one");
    await shown();
  }

  async function hide() {
    await page.keyboard.press("Control+Shift+E");
    await page.locator(".explorer-folders-view").waitFor();
    await workbench.showChat();
    await shown();
  }

  /** Waits until the long conversation is drawn. */
  async function shown() {
    await chat.locator(".question", { hasText: "more 3" }).waitFor();
    await chat.locator("#log:not(.replaying)").waitFor();
  }
}
