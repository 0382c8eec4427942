// The package with the server inside, installed by the steps of the README.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CodeServer, quiet } from "./codeserver.mjs";
import { Workbench } from "./workbench.mjs";

const extension = join(import.meta.dirname, "..");

export async function run({ check, temporary, testbed, binary, workbench, workspace }) {
  const folder = join(temporary, "bundled");
  mkdirSync(folder);
  const server = new CodeServer(testbed, folder);
  const released = process.env.PLOKE_VSIX; // a package of a release, instead of one that is built here
  const vsix = released ?? join(extension, "out/ploke-linux-x64.vsix");

  if (!released) await check("the README's command builds a package with the server", () => {
    const command = /^ {4}(\.\/package\.sh linux-x64) PLOKE_BINARY$/m.exec(readFileSync(join(extension, "README.md"), "utf8"))[1];
    execFileSync("bash", ["-c", `${command} "$1"`, "bash", binary], { cwd: extension, stdio: "pipe" });
    assert.ok(existsSync(vsix));
    assert.ok(!existsSync(join(extension, "bin")), "the server is left in the folder");
  });

  await check("it installs from the .vsix, and needs no other server and no setting", async () => {
    server.writeSettings("User", quiet);
    server.install(vsix);
    const page = await workbench.context.newPage();
    const bundled = new Workbench(workbench.context, page, await server.start());
    await bundled.open(workspace);
    await bundled.indexed();
    await bundled.command("ploke: Ask");
    await bundled.ask("Who calls ParseName?");
    await bundled.lastTurn.getByText("main.go").first().waitFor();
    const [{ command }] = server.processes("ploke-lsp");
    assert.match(command, new RegExp(`^${folder}/extensions/ploke\\.ploke-[^/]*/bin/ploke-lsp`));
    await bundled.leave();
    await server.ended("ploke-lsp");
    await page.close();
  });
  server.stop();
  assert.deepEqual(await server.leftovers(), []);
}
