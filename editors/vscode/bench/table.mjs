// The figures of the benchmark and their targets.
import { loadavg } from "node:os";

const ROWS = [
  { name: "input ready", label: "input ready after activation, wall clock", unit: "ms" },
  { name: "first paint", label: "first paint after activation, wall clock", unit: "ms" },
  { name: "first paint, ours", label: "work of ours until the first paint", unit: "ms", target: 50 },
  ...["an empty chat", "200 messages"].flatMap((chat) => [
    { name: `stream into ${chat}, p95`, label: `3,000 tokens into ${chat}: task, p95`, unit: "ms", target: 16 },
    { name: `stream into ${chat}, worst`, label: `3,000 tokens into ${chat}: worst task`, unit: "ms", target: 50 },
  ]),
  { name: "open 1,000, worst", label: "opening 1,000 messages: worst task", unit: "ms", target: 50 },
  { name: "memory of 1,000", label: "memory for 1,000 messages", unit: "MB", target: 20 },
  { name: "long answer, worst", label: "100,000 characters: worst task", unit: "ms", target: 50 },
  ...[1, 2, 3, 4, 5].map((n) => ({ name: `long answer, fifth ${n}`, label: `100,000 characters: work in fifth ${n}`, unit: "ms/s" })),
  { name: "long answer, growth", label: "100,000 characters: last fifth to second", unit: "×", target: 1.2 },
];

/** Prints the median and the worst of each figure over the runs, beside its target. */
export function print(runs) {
  console.log(`${`${runs.length} runs, load ${loadavg()[0].toFixed(1)}`.padEnd(48)}${"median".padStart(9)}${"worst".padStart(9)}${"target".padStart(9)}`);
  for (const { name, label, unit, target } of ROWS) {
    const values = runs.map((run) => run[name]).sort((a, b) => a - b);
    const worst = values.at(-1);
    const verdict = target === undefined ? "" : worst <= target ? "  ok" : "  MISSED";
    const cells = [values[values.length >> 1], worst, target].map((value) => format(value).padStart(9)).join("");
    console.log(`${label.padEnd(48)}${cells} ${unit}${verdict}`);
  }
}

function format(value) {
  if (value === undefined) return "";
  return value.toFixed(value < 2 ? 2 : value < 10 ? 1 : 0);
}
