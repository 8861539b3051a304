// Preloaded into the services of two stacks under comparison. Runs every periodic task with a pause
// of one second or more only in the turn of its own stack, CES_LAB_TURN (0 or 1). One stack is
// therefore idle while the other is measured. Hourly and daily tasks run in every turn.
const TURN_MS = 2_000;
const SPREAD_MS = 1_500;
const LEAST_PAUSE_MS = 1_000;
const turn = Number(process.env.CES_LAB_TURN);
const plainSetTimeout = globalThis.setTimeout;

globalThis.setTimeout = Object.assign(
  (callback, ms, ...rest) => plainSetTimeout(callback, isPauseOfTask(ms) ? untilOwnTurn() : ms, ...rest),
  plainSetTimeout,
);

function isPauseOfTask(ms) {
  return ms >= LEAST_PAUSE_MS && (new Error().stack?.includes('/service/periodic-task.ts') ?? false);
}

function untilOwnTurn() {
  const both = 2 * TURN_MS;
  const now = Date.now();
  const begins = Math.floor(now / both) * both + turn * TURN_MS + Math.random() * SPREAD_MS;
  return begins > now ? begins - now : begins + both - now;
}
