// A server that is killed.
import assert from "node:assert/strict";

export async function run({ open, check, capture, workbench, model, server, binary, useModel }) {
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

  async function indexedAfterRestart(old) {
    const deadline = Date.now() + 20_000;
    while (!server.processes(binary).some(({ pid }) => pid !== old)) {
      assert.ok(Date.now() < deadline, "the server was not started again");
      await page.waitForTimeout(100);
    }
    await workbench.indexed();
  }
}
