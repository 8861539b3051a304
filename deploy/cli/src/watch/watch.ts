import { type CesClient, CesError, createRequestKey, type Units } from '@ces/client';
import type { Clock } from '../command.ts';
import type { OpenRound, StateKeeper, WatchState } from './state-file.ts';
import type { FoundObservation, Page, Watched } from './watched.ts';

export interface WatchOptions {
  readonly everyMs: number;
  readonly limit: number;
  /** Request and delivered units in total, restarts included; undefined: no bound. */
  readonly maxUnits: number | undefined;
}

export interface WatchEnvironment {
  readonly client: CesClient;
  readonly clock: Clock;
  readonly keeper: StateKeeper;
  /** On abort, the call in progress finishes, since it is paid for, and no other call starts. */
  readonly signal: AbortSignal;
  show(observation: FoundObservation): void;
  say(line: string): void;
}

export function firstState(watched: Watched, since: string, now: number): WatchState {
  const spent = { request: 0, delivered: 0, fresh: 0 };
  return { watched: watched.identity, since, dueAt: now, shown: [], rounds: 0, spent };
}

/** Shows each new observation once until aborted or out of units; returns the final state. */
export async function watch(
  watched: Watched,
  options: WatchOptions,
  begin: WatchState,
  environment: WatchEnvironment,
): Promise<WatchState> {
  const { clock, keeper, signal, say } = environment;
  let state = begin;
  for (;;) {
    await clock.pause(Math.max(0, state.dueAt - clock.now()), signal);
    if (signal.aborted) return state;
    const round = affordable(watched, state.round ?? newRound(state.since, options), state.spent, options);
    if (!round) {
      say(`The next page could cost more than what is left of --max-units ${options.maxUnits}.`);
      return state;
    }
    // Saved before the request: after a crash the same key repeats it without another charge.
    state = { ...state, round };
    await keeper.save(state);
    state = await ask(watched, round, state, options.everyMs, environment);
    await keeper.save(state);
  }
}

function newRound(since: string, { limit }: WatchOptions): OpenRound {
  return { key: createRequestKey(), since, limit, page: 1 };
}

/** The round with an affordable page size. Later pages must keep the first page's size. */
function affordable(
  watched: Watched,
  round: OpenRound,
  spent: Units,
  { maxUnits = Number.POSITIVE_INFINITY }: WatchOptions,
): OpenRound | undefined {
  const limit = watched.affordableLimit(round.limit, maxUnits - spent.request - spent.delivered);
  if (limit === round.limit) return round;
  return limit > 0 && round.page === 1 ? { ...round, limit } : undefined;
}

async function ask(
  watched: Watched,
  round: OpenRound,
  state: WatchState,
  everyMs: number,
  environment: WatchEnvironment,
): Promise<WatchState> {
  const { key, page, since, limit, cursor } = round;
  const requestKey = page === 1 ? key : `${key}/${page}`;
  const nextAt = environment.clock.now() + everyMs;
  try {
    const request = { since, limit, requestKey, ...(cursor !== undefined && { cursor }) };
    const found = await watched.ask(environment.client, request);
    return afterPage(watched, round, showNew(found, state, environment), found, nextAt);
  } catch (error) {
    if (error instanceof CesError) return afterFailure(error, state, nextAt, environment);
    throw error;
  }
}

function showNew({ observations, operation }: Page, state: WatchState, { show }: WatchEnvironment): WatchState {
  const shown = new Map(state.shown);
  for (const observation of observations) {
    if (!shown.has(observation.id)) show(observation);
    shown.set(observation.id, observation.observed_at);
  }
  const { request, delivered, fresh } = operation.units ?? { request: 0, delivered: 0, fresh: 0 };
  const { spent } = state;
  return {
    ...state,
    shown: [...shown],
    spent: {
      request: spent.request + request,
      delivered: spent.delivered + delivered,
      fresh: spent.fresh + fresh,
    },
  };
}

function afterPage(watched: Watched, round: OpenRound, state: WatchState, found: Page, nextAt: number): WatchState {
  const asOf = round.asOf ?? found.asOf;
  if (found.nextCursor !== null)
    return { ...state, round: { ...round, page: round.page + 1, cursor: found.nextCursor, asOf } };
  const { round: _finished, ...rest } = state;
  const sinceMs = Math.max(Date.parse(asOf) - watched.overlapMs, Date.parse(state.since));
  const since = new Date(sinceMs).toISOString();
  const shown = state.shown.filter(([, observedAt]) => Date.parse(observedAt) > sinceMs);
  return { ...rest, since, shown, dueAt: nextAt, rounds: state.rounds + 1 };
}

const LEAST_WAIT_MS = 1_000;

/** The next round needs a new key. */
const ENDED = new Set<string>(['usage_expired', 'planning_unavailable', 'search_failed', 'invalid_cursor']);

/** Retries with the same key where that may help; rethrows errors that a person must fix. */
function afterFailure(
  error: CesError,
  state: WatchState,
  nextAt: number,
  { clock, say }: WatchEnvironment,
): WatchState {
  const { code, message, status, retryAfterMs } = error;
  if (retryAfterMs !== undefined) {
    // Uses the duration, not the server's time: this machine's clock may be wrong.
    const dueAt = Math.ceil(clock.now() + Math.max(LEAST_WAIT_MS, retryAfterMs));
    say(`${message} The watch continues at ${new Date(dueAt).toISOString()}.`);
    return { ...state, dueAt };
  }
  const goingOn = `${message} The watch continues at ${new Date(nextAt).toISOString()}.`;
  if (ENDED.has(code)) {
    const { round: _ended, ...rest } = state;
    say(goingOn);
    return { ...rest, dueAt: nextAt };
  }
  if (code !== 'connection_failed' && code !== 'unexpected_answer' && status < 500) throw error;
  say(goingOn);
  return { ...state, dueAt: nextAt };
}
