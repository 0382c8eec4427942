// A server that is killed, and programs that are no server.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.mjs";

export async function run({ open, check, capture, workbench, model, server, binary, temporary, useModel }) {
  const { page, chat } = workbench;
  await open({ indexed: true, chat: true });
  await workbench.ask("rename ParseName to ReadName");
  await workbench.lastTurn.getByRole("button", { name: "Accept", exact: true }).click();
  await workbench.lastTurn.getByText("Applied", { exact: true }).waitFor();
  await useModel("scripted/manual");

  await check("a killed server is restarted with its conversations, and an interrupted answer is continued in the live window", async () => {
    await workbench.newConversation();
    await workbench.ask("cut short");
    await workbench.lastTurn.getByText("Answer to cut short").waitFor();
    const [victim] = server.processes(binary);
    process.kill(victim.pid, "SIGKILL");
    await workbench.lastTurn.getByText("Interrupted").waitFor();
    await capture("22-interrupted");
    await workbench.lastTurn.getByRole("button", { name: "Continue" }).click(); // before the server runs again
    await workbench.lastTurn.getByText("Answer to Go on where you stopped.").waitFor();
    assert.equal(await chat.locator(".question").count(), 2);
    assert.equal(await chat.getByText("Answer to cut short").count(), 1);
    model.goOn();
    await workbench.idle();
    await indexedAfterRestart(victim.pid);
  });

  await check("an interrupted answer is continued after a reload", async () => {
    await workbench.newConversation();
    await workbench.ask("cut again");
    await workbench.lastTurn.getByText("Answer to cut again").waitFor();
    const [victim] = server.processes(binary);
    process.kill(victim.pid, "SIGKILL");
    await indexedAfterRestart(victim.pid);
    await page.reload();
    await workbench.status.waitFor(); // wait for the activation of the extension, which the workbench delays
    await workbench.indexed();
    await workbench.openConversation("cut again");
    await workbench.lastTurn.getByText("Interrupted").waitFor();
    await chat.getByRole("button", { name: "Continue" }).click();
    await workbench.lastTurn.getByText("Answer to Go on where you stopped.").waitFor();
    model.goOn();
    await workbench.idle();
    await workbench.openConversation("rename ParseName");
    await chat.locator(".proposal .status", { hasText: "Applied" }).waitFor();
    await capture("11-restored");
  });

  await check("messages that a killed server never got are given back, and one that it has got is not", async () => {
    await workbench.newConversation();
    await workbench.ask("go on for long");
    await workbench.lastTurn.getByText("Answer to go on for long").waitFor();
    const { input } = workbench;
    const note = (text) => chat.locator(".question.joining", { hasText: text });
    await input.fill("it has this one");
    await input.press("Control+Enter");
    await note("it has this one").getByText("Joins the answer at its next step").waitFor();
    const [victim] = server.processes(binary);
    process.kill(victim.pid, "SIGSTOP"); // it reads nothing from now on
    await input.fill("steer there");
    await input.press("Control+Enter");
    await note("steer there").getByText("Sending…").waitFor();
    await input.fill("and then this");
    await input.press("Enter");
    await chat.locator("#queue li", { hasText: "and then this" }).waitFor();
    process.kill(victim.pid, "SIGKILL");
    await eventually(async () => assert.deepEqual((await input.inputValue()).trim().split(/\n+/).toSorted(), ["and then this", "steer there"]));
    await chat.locator(".question", { hasText: "it has this one" }).waitFor();
    await workbench.lastTurn.getByText("Interrupted").waitFor();
    assert.equal(await note("").count(), 0);
    await input.fill("");
    await indexedAfterRestart(victim.pid);
    await workbench.reloadWindow();
    await workbench.showChat();
    await chat.locator(".question", { hasText: "it has this one" }).waitFor();
    assert.deepEqual(await chat.locator("#log > .question .text").allInnerTexts(), ["go on for long", "it has this one"]);
  });

  await check("a chat whose script VS Code did not load is drawn again", async () => {
    const extensions = join(temporary, "extensions");
    const template = join(extensions, readdirSync(extensions).find((name) => name.startsWith("ploke.")), "media/chat.html");
    const html = readFileSync(template, "utf8");
    writeFileSync(template, html.replace("{{script}}", "{{media}}/none.js"));
    try {
      await workbench.reloadWindow();
      await chat.locator("#model:empty").waitFor({ state: "attached" });
      await chat.locator("#input[readonly]").waitFor(); // what is typed now would be lost
    } finally {
      writeFileSync(template, html);
    }
    await chat.locator("#model:not(:empty)").waitFor();
    await chat.locator("#input:not([readonly])").waitFor();
  });

  const notice = chat.locator(".server-problem");
  const killed = new Set();
  await check("a server that is killed again is started with growing pauses, and at once by a person", async () => {
    await open({ indexed: true, chat: true });
    const said = await noticesFromNow(); // one is there for a second only
    for (const seconds of [1, 2, 4]) {
      await kill();
      await eventually(async () => assert.ok((await said()).some((text) => text.includes(`It starts again in ${seconds} s.`)), `nothing says ${seconds} s`));
      await notice.waitFor({ state: "hidden" });
    }
    await kill();
    await page.locator('.statusbar-item[aria-label*="It starts again in 8 s"]').waitFor();
    await capture("23-crashed");
    await notice.getByRole("button", { name: "Show log" }).click();
    await notice.getByRole("button", { name: "Restart" }).click();
    await notice.waitFor({ state: "hidden" });
    const before = (await said()).length;
    await kill();
    await eventually(async () => assert.match((await said()).slice(before).join(), /It starts again in 1 s\./)); // a person's start forgets the crashes
    const filter = page.locator('.panel input[placeholder^="Filter"]');
    await filter.fill("SIGKILL"); // later lines may have scrolled it away
    await page.locator(".panel .view-line", { hasText: "SIGKILL" }).first().waitFor();
    await filter.fill("");
    await notice.waitFor({ state: "hidden" });
    await workbench.indexed();
  });

  await check("a program that prints something else is explained", async () => {
    await open({ serverPath: program("garbage", 'process.stdout.write("Hello: I am no server\\r\\n\\r\\n"); setInterval(() => {}, 1000);'), chat: true });
    await notice.getByText("is not the language server protocol").waitFor();
    await capture("24-garbage");
  });

  await check("a program that ends at once is explained with its last words", async () => {
    await open({ serverPath: program("ends", 'console.error("the disk is full"); process.exit(3);'), chat: true });
    await notice.getByText("ended with the exit code 3: the disk is full.").waitFor();
  });

  await check("a program that hangs is explained after a while, and Restart does not wait for it", async () => {
    const hangs = program("hangs", "process.stdin.resume(); setInterval(() => {}, 1000);");
    await open({ serverPath: hangs, chat: true });
    await notice.getByText("has not answered within 20 s").waitFor({ timeout: 30_000 });
    assert.deepEqual(server.processes(hangs), []);
    await notice.getByRole("button", { name: "Restart" }).click();
    await notice.waitFor({ state: "hidden" });
    await open({ indexed: true });
    assert.deepEqual(server.processes(hangs), []);
  });

  /** Records what the chat says of the server from now on. */
  async function noticesFromNow() {
    await chat.locator("body").evaluate((body) => {
      window.noticed = [];
      const note = () => {
        const text = body.querySelector(".server-problem")?.textContent;
        if (text && text !== window.noticed.at(-1)) window.noticed.push(text);
      };
      new MutationObserver(note).observe(body, { childList: true, characterData: true, subtree: true });
    });
    return () => chat.locator("body").evaluate(() => window.noticed);
  }

  /** Writes a program of JavaScript and returns its path. */
  function program(name, code) {
    const path = join(temporary, `${name}.mjs`);
    writeFileSync(path, `#!${process.execPath}\n${code}\n`, { mode: 0o755 });
    return path;
  }

  /** Kills the server, once it runs again. */
  async function kill() {
    const deadline = Date.now() + 20_000;
    const running = () => server.processes(binary).find(({ pid }) => !killed.has(pid));
    while (!running()) {
      assert.ok(Date.now() < deadline, "no server runs");
      await page.waitForTimeout(50);
    }
    const { pid } = running();
    killed.add(pid);
    process.kill(pid, "SIGKILL");
  }

  async function indexedAfterRestart(old) {
    const deadline = Date.now() + 20_000;
    while (!server.processes(binary).some(({ pid }) => pid !== old)) {
      assert.ok(Date.now() < deadline, "the server was not started again");
      await page.waitForTimeout(100);
    }
    await workbench.indexed();
  }
}
