import assert from "node:assert/strict";
import { test } from "node:test";
import { BackOff } from "../src/backOff";

test("pauses grow, and end after too many crashes in a short time", () => {
  const backOff = new BackOff();
  const pauses = [1, 2, 3, 4, 5, 6, 7].map((at) => backOff.next(at * 1000));
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, undefined, undefined]);
});

test("a crash now and then is not one too many", () => {
  const backOff = new BackOff();
  for (let hour = 0; hour < 20; hour++) assert.equal(backOff.next(hour * 3_600_000), 1);
});

test("a person's start forgets the crashes", () => {
  const backOff = new BackOff();
  for (let at = 0; at < 6; at++) backOff.next(at);
  backOff.reset();
  assert.equal(backOff.next(7), 1);
});
