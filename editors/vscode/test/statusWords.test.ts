import assert from "node:assert/strict";
import { test } from "node:test";
import { type StatusFacts, describe, isBusy, isProblem, label } from "../src/statusWords";

const index = { state: "ready", files: 8, symbols: 20, references: 30 } as const;
const well: StatusFacts = { health: { state: "running" }, otherVersion: false, index, model: "embedded", cost: undefined, running: [] };

test("a server that works needs no words", () => {
  assert.equal(label(well), "");
  assert.deepEqual(describe(well), ["index ready, 8 files, 20 symbols", "embedded model, without a key"]);
  assert.ok(!isProblem(well) && !isBusy(well));
});

test("indexing has a percentage", () => {
  const facts: StatusFacts = { ...well, index: { ...index, state: "indexing", progress: { files: 3, totalFiles: 8, symbols: 4, percent: 37, secondsLeft: 2 } } };
  assert.equal(label(facts), " 37 %");
  assert.match(describe(facts)[0] ?? "", /index indexing \(37 %\)/);
  assert.ok(isBusy(facts));
});

test("the model and the cost of the day stand behind the name", () => {
  const facts: StatusFacts = { ...well, model: "openai/some", cost: { today: 0.126, limit: 5 } };
  assert.equal(label(facts), " (openai/some) · $0.13");
  assert.ok(describe(facts).includes("today $0.1260 of $5.00"));
});

test("problems are named", () => {
  const failed: StatusFacts = { ...well, index: { ...index, state: "failed", error: "the disk is full" } };
  assert.ok(isProblem(failed));
  assert.match(describe(failed)[0] ?? "", /indexing failed: the disk is full/);
  const missing: StatusFacts = { ...well, index: undefined, health: { state: "missing", reason: "It is not there." } };
  assert.ok(isProblem(missing));
  assert.match(describe(missing)[0] ?? "", /not found.*Install ploke-lsp, or set ploke.serverPath/);
});
