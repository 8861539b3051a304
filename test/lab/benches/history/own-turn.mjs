// Preloaded into the services of two stacks that are compared: every periodic task with a pause of a second or more has its passes
// in the turns of its own stack alone, CES_LAB_TURN (0 or 1), so that neither works while the other is measured; and what is due
// once an hour or a day is due in every turn.
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

/** Somewhere in the next turn that is not this one, so that tasks do not all begin at once. */
function untilOwnTurn() {
  const both = 2 * TURN_MS;
  const now = Date.now();
  const begins = Math.floor(now / both) * both + turn * TURN_MS + Math.random() * SPREAD_MS;
  return begins > now ? begins - now : begins + both - now;
}
