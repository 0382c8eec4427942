// What the code means, as gopls knows it, which another extension has started.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { answerBy, answerOf } from "./compilerAnswers.mjs";
import { eventually } from "./eventually.mjs";

const gopls = join(import.meta.dirname, "../../../build/real-servers/bin/gopls");
const byGopls = /The places are those of Go in \S+ 1\.\d+\./;
const packages = 30;

/** An interface, one type that implements it, one that only looks so, and a caller in each of many packages. */
function write(workspace) {
  const put = (folder, file, text) => {
    mkdirSync(join(workspace, folder), { recursive: true });
    writeFileSync(join(workspace, folder, file), text);
  };
  put("shape", "shape.go", `package shape

// A Shape has an area.
type Shape interface{ Area() int }

// Square implements Shape.
type Square struct{ Side int }

func (s Square) Area() int { return s.Side * s.Side }

// Land implements nothing.
type Land struct{}

func (Land) Area(unit string) int { return len(unit) }
`);
  for (let i = 1; i <= packages; i++) {
    put(`use${i}`, "use.go", `package use${i}

import "greeter/shape"

func Use${i}(s shape.Shape, l shape.Land) int { return s.Area() + l.Area("m") }
`);
  }
}

/** Installs the extension, with what it needs of the package that ploke's has, too. */
async function install({ server, temporary }) {
  const folder = join(temporary, "guestGopls");
  cpSync(join(import.meta.dirname, "guestGopls/package.json"), join(folder, "package.json"), { recursive: true });
  await build({
    entryPoints: [join(import.meta.dirname, "guestGopls/main.js")], outfile: join(folder, "extension.js"),
    bundle: true, platform: "node", format: "cjs", external: ["vscode"], logLevel: "warning",
  });
  const vsix = join(temporary, "gopls.vsix");
  const args = ["package", "--no-dependencies", "--skip-license", "--allow-missing-repository", "--out", vsix];
  execFileSync(join(import.meta.dirname, "../node_modules/.bin/vsce"), args, { cwd: folder, stdio: "pipe" });
  server.install(vsix);
}

export async function run({ open, check, capture, workbench, workspace, server, userSettings, temporary }) {
  const { page } = workbench;
  write(workspace);
  await install({ server, temporary });
  userSettings({ "guest.gopls": gopls, "guest.PATH": process.env.PATH }); // a login shell may have another one
  await open({ indexed: true, chat: true });
  const pid = () => Number(readFileSync(join(server.env.TMPDIR, "gopls-pid"), "utf8"));
  const line = (text) => page.locator(".editor-instance .view-line", { hasText: text }).first();

  const ask = (question) => answerOf(workbench, question);
  const asked = (question) => answerBy(workbench, byGopls, question);

  await check("who calls a method of an interface is known by gopls, in all packages", async () => {
    assert.match(await asked("who calls Shape.Area?"), /30 places in all/);
    await capture("75-gopls");
  });

  await check("who implements an interface is found by name, where nobody says that all was read", async () => {
    const answer = await ask("what implements Shape?");
    assert.match(answer, /Square implements Shape[^]*The places were found by name, since Go in \S+ 1\.\d+ does not say/);
    assert.doesNotMatch(answer, /Land/);
  });

  await check("text that is typed while gopls answers counts", async () => {
    await workbench.openFile("use1/use.go");
    await workbench.newConversation();
    await workbench.ask("who calls Shape.Area?");
    await line("func Use1").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("func More(s shape.Shape) int { return s.Area() }\n");
    await workbench.turnEnd();
    assert.match(await asked("what calls Shape.Area?"), /31 places in all/);
  });

  await check("a method is renamed in all packages, and nothing else", async () => {
    await asked("rename Shape.Area and its implementers to Size");
    await workbench.command("ploke: Accept All Proposed Edits");
    await workbench.lastTurn.getByText("Applied").waitFor(); // to all files
    await line("func Use1").filter({ hasText: 's.Size() + l.Area("m")' }).waitFor();
    await line("func More").filter({ hasText: "s.Size()" }).waitFor();
    await capture("76-gopls-renamed");
    await page.locator('.statusbar-item[id="status.problems"][aria-label="No Problems"]').waitFor(); // gopls sees unsaved text
  });

  await check("an answer comes after gopls was killed, too", async () => {
    const before = pid();
    process.kill(before, "SIGKILL");
    await workbench.newConversation();
    assert.match(await ask("who calls Shape.Size?"), /31 places in all/);
    await eventually(() => assert.notEqual(pid(), before));
  });

  await workbench.leave();
  server.uninstall("guest.gopls");
  userSettings({});
}
