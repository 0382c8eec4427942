// Tells from a trace what our webview costs.
//
// The webview may share its process and its main thread with the workbench. Work is ours
// if it belongs to a frame in which our script runs. A step that draws the whole page is
// ours if our frame has changed before it in the same task. Costs are milliseconds of
// processor time (the trace's thread durations), which a loaded machine changes little.
// Tasks in which the benchmark itself looks at the page don't count.
const SCRIPT = "/out/chat.js";
const DRAWING = new Set(["UpdateLayoutTree", "Layout", "Paint"]);
const PAGE_STEPS = new Set(["PrePaint", "Layerize", "Commit"]);

/** Returns the tasks with work of ours, in order: {ts in µs, work in ms, draws}. */
export function ourTasks(events) {
  const calls = events.filter(({ name, args }) => name === "FunctionCall" && args.data?.url?.endsWith(SCRIPT));
  const frames = new Set(calls.map(({ args }) => args.data.frame));
  const threads = new Set(calls.map(threadOf));
  return [...threads].flatMap((thread) => tasksOf(events, thread, frames)).sort((a, b) => a.ts - b.ts);
}

function tasksOf(events, thread, frames) {
  const tasks = [];
  let task = { end: 0 };
  let counted = 0; // the end of the last event that was counted, which covers those inside of it
  for (const event of inOrder(events, thread)) {
    const end = event.ts + event.dur;
    if (event.name.endsWith("::RunTask") && event.ts >= task.end) {
      task = { ts: event.ts, end, work: 0, draws: false };
      tasks.push(task);
    }
    task.measures ||= event.args.chrome_mojo_event_info?.mojo_interface_tag === "blink.mojom.DevToolsSession";
    if (event.ts < counted || event.ts >= task.end) continue;
    if (!frames.has(frameOf(event)) && !(task.draws && PAGE_STEPS.has(event.name))) continue;
    counted = end;
    task.work += (event.tdur ?? 0) / 1000;
    task.draws ||= DRAWING.has(event.name) && event.tdur > 0;
  }
  return tasks.filter(({ work, measures }) => work > 0 && !measures);
}

function inOrder(events, thread) {
  return events.filter((event) => event.ph === "X" && threadOf(event) === thread)
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
}

const threadOf = ({ pid, tid }) => `${pid}:${tid}`;

const frameOf = ({ args }) => args.data?.frame ?? args.beginData?.frame ?? args.frame;

/** Returns how much work of ours each of some equal parts of the time had, in milliseconds a second. */
export function workPerSecond(tasks, parts) {
  const begin = tasks[0].ts;
  const length = (tasks.at(-1).ts - begin + 1) / parts;
  const work = new Array(parts).fill(0);
  for (const task of tasks) work[Math.floor((task.ts - begin) / length)] += task.work;
  return work.map((sum) => sum / (length / 1e6));
}

/** Returns the time at which our script had run for the first time, and at which our page was first painted, in µs. */
export function loadTimes(events) {
  const script = events.find(({ name, args }) => name === "EvaluateScript" && args.data?.url?.endsWith(SCRIPT));
  const frame = script?.args.data.frame;
  const paint = events.find((event) => event.name === "firstContentfulPaint" && frameOf(event) === frame);
  return { ready: script && script.ts + script.dur, painted: paint?.ts };
}
