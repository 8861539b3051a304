import type { OpenRound, WatchState } from './state.ts';

/** Parses a saved state. undefined for anything incomplete, since the state bounds the spending. */
export function parseState(text: string): WatchState | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isState(value: unknown): value is WatchState {
  const { watched, since, dueAt, round, shown, rounds, spent } = fieldsOf<WatchState>(value);
  const { request, delivered, fresh } = fieldsOf<WatchState['spent']>(spent);
  return (
    typeof watched === 'string' &&
    isInstant(since) &&
    [dueAt, rounds, request, delivered, fresh].every(isCount) &&
    (round === undefined || isRound(round)) &&
    Array.isArray(shown) &&
    shown.every((one) => Array.isArray(one) && isCount(one[0]) && isInstant(one[1]))
  );
}

function isRound(value: unknown): boolean {
  const { key, since, limit, page, cursor, asOf } = fieldsOf<OpenRound>(value);
  return (
    isText(key) &&
    isInstant(since) &&
    [limit, page].every((one) => isCount(one) && one > 0) &&
    (cursor === undefined ? page === 1 : isText(cursor)) &&
    (asOf === undefined || isInstant(asOf))
  );
}

function fieldsOf<T>(value: unknown): { readonly [name in keyof T]?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && Number.isFinite(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
