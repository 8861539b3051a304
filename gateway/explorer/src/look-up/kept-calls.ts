import type { LookUpCall, LookUpKind } from './look-up-call.ts';

export type KeptCall = Pick<LookUpCall, 'requestKey' | 'kind' | 'values'>;

const STORED_AS = 'ces-look-up';
/** Longest time between the clicks of a double click. */
const ONE_PRESS_MS = 1_000;

export interface Press {
  readonly kind: LookUpKind;
  readonly values: readonly string[];
  readonly at: number;
}

export function isSamePress(before: Press | undefined, next: Press): boolean {
  if (before === undefined || before.kind !== next.kind) return false;
  const since = next.at - before.at;
  return since >= 0 && since < ONE_PRESS_MS && before.values.join('\n') === next.values.join('\n');
}

export function keepCalls(calls: readonly LookUpCall[]): void {
  sessionStorage.setItem(STORED_AS, JSON.stringify(callsToKeep(calls, readKeptCalls())));
}

/** Includes calls from before a reload; those not started cost nothing yet. */
export function callsToKeep(calls: readonly LookUpCall[], kept: readonly KeptCall[]): readonly KeptCall[] {
  const begunBefore = new Set(kept.map(({ requestKey }) => requestKey));
  return calls
    .filter(({ state, requestKey }) => state !== 'waiting' || begunBefore.has(requestKey))
    .map(({ requestKey, kind, values }) => ({ requestKey, kind, values }));
}

export function readKeptCalls(): readonly KeptCall[] {
  return parseCalls(sessionStorage.getItem(STORED_AS));
}

export function parseCalls(stored: string | null): readonly KeptCall[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isCall) : [];
  } catch {
    return [];
  }
}

function isCall(value: unknown): value is KeptCall {
  if (typeof value !== 'object' || value === null) return false;
  const { requestKey, kind, values } = value as { readonly [name in keyof KeptCall]?: unknown };
  const isKind = kind === 'ids' || kind === 'domains';
  return typeof requestKey === 'string' && isKind && Array.isArray(values) && values.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
