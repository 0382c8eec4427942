// Draws media/icon.png from media/icon.svg with Chromium: node icon.mjs TESTBED
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [testbed] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(testbed), "package.json"))("playwright-core");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
const svg = readFileSync(join(import.meta.dirname, "media/icon.svg")).toString("base64");
await page.setContent(`<style>body { margin: 0 } img { display: block; width: 128px }</style><img src="data:image/svg+xml;base64,${svg}">`);
await page.locator("img").screenshot({ path: join(import.meta.dirname, "media/icon.png"), omitBackground: true });
await browser.close();
