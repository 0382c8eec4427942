// Runs code-server on loopback with a home folder of its own, in a process group
// that ends with the test.
import { execFileSync, spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Settings that turn off actions of the workbench, and typing aids of the editor, that the tests don't expect. */
export const quiet = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "window.menuBarVisibility": "compact",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "update.mode": "none",
  "git.enabled": false,
  "files.autoSave": "off",
  "files.refactoring.autoSave": false, // what is accepted stays unsaved, except in the scenario "accepting"
  "editor.autoClosingBrackets": "never",
  "editor.autoIndent": "none",
  "editor.autoSurround": "never",
  "chat.disableAIFeatures": true,
};

/** Returns an environment in which a program creates files and sockets inside of the folder only. */
export function privateEnvironment(folder) {
  const home = join(folder, "home");
  const TMPDIR = join(folder, "tmp");
  for (const made of [home, TMPDIR]) mkdirSync(made, { recursive: true });
  return {
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TMPDIR,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_RUNTIME_DIR: TMPDIR,
  };
}

export class CodeServer {
  constructor(testbed, folder) {
    this.program = join(testbed, "node_modules/.bin/code-server");
    this.folder = folder;
    this.data = join(folder, "data");
    this.logs = join(this.data, "logs");
    this.env = { ...privateEnvironment(folder), PLOKE_STATE_DIR: join(folder, "state"), EXTENSIONS_GALLERY: "{}" };
    this.folders = ["--user-data-dir", this.data, "--extensions-dir", join(folder, "extensions")];
  }

  /** Writes settings for the next load of a window; of is "User", or "Machine" for remote settings. */
  writeSettings(of, settings) {
    mkdirSync(join(this.data, of), { recursive: true });
    writeFileSync(join(this.data, of, "settings.json"), JSON.stringify(settings, null, 2));
  }

  /** Writes the server's configuration file. */
  writeServerSettings(toml) {
    const folder = join(this.env.XDG_CONFIG_HOME, "ploke-lsp");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), toml);
  }

  install(vsix) {
    execFileSync(this.program, [...this.folders, "--install-extension", vsix], { env: this.env, stdio: "pipe" });
  }

  uninstall(extension) {
    execFileSync(this.program, [...this.folders, "--uninstall-extension", extension], { env: this.env, stdio: "pipe" });
  }

  /** Starts code-server and resolves to its address. */
  async start() {
    const child = spawn(
      this.program,
      ["--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry", "--disable-update-check",
        "--disable-getting-started-override",
        "--config", join(this.folder, "code-server.yaml"), ...this.folders],
      { env: this.env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.group = child.pid;
    const log = createWriteStream(join(this.folder, "code-server.log"));
    child.stderr.pipe(log);
    return new Promise((resolve, reject) => {
      let output = "";
      child.stdout.on("data", (data) => {
        log.write(data);
        output += data;
        const address = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output);
        if (address) resolve(address[1]);
      });
      child.on("exit", (code) => reject(new Error(`code-server ended with ${code}: ${output}`)));
    });
  }

  /** Ends the whole process group, since the pty host outlives its parent. */
  stop() {
    if (!this.group) return;
    try {
      process.kill(-this.group, "SIGTERM");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }

  /** The ends of the newest logs, of the output channel and of the extension host. */
  logTail() {
    return { ploke: this.newestLog("ploke.log").slice(-8000), host: this.newestLog("remoteexthost.log").slice(-8000) };
  }

  /** The newest log of this name. */
  newestLog(name) {
    const paths = readdirSync(this.logs, { recursive: true }).filter((path) => path.endsWith(`/${name}`)).map((path) => join(this.logs, path));
    const newest = paths.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1);
    return newest ? readFileSync(newest, "utf8") : "";
  }

  /** The processes of this run whose command line contains text. */
  processes(text = "") {
    return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid).flatMap((pid) => {
      const command = readProc(pid, "cmdline").replaceAll("\0", " ");
      const ours = command.includes(this.folder) || readProc(pid, "environ").includes(`HOME=${this.env.HOME}\0`);
      return ours && command.includes(text) ? [{ pid: Number(pid), command }] : [];
    });
  }

  /** Waits for all processes of this run to end; resolves to the remaining ones. */
  async leftovers(timeout = 10_000) {
    return this.ended("", timeout);
  }

  /** Waits for the processes whose command line contains text to end; resolves to the remaining ones. */
  async ended(text, timeout = 10_000) {
    const deadline = Date.now() + timeout;
    while (this.processes(text).length > 0 && Date.now() < deadline) await delay(100);
    return this.processes(text);
  }
}

/** Returns "" for a process that has ended meanwhile. */
function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
