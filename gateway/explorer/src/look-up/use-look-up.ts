import type { CesClient, CompanyLookupInput, CompanyLookupResult } from '@ces/client';
import { useCallback, useRef, useState } from 'react';
import { splitCalls } from './split-calls.ts';

export type LookUpKind = 'ids' | 'domains';

/** One call of a look-up, with the idempotency key that it keeps through retries and replays. */
export interface LookUpCall {
  readonly requestKey: string;
  readonly kind: LookUpKind;
  readonly values: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly result?: CompanyLookupResult;
  /** The operation was there before: nothing was charged for it now. */
  readonly replayed?: boolean;
  readonly error?: unknown;
}

export interface LookUp {
  readonly calls: readonly LookUpCall[];
  readonly isRunning: boolean;
  start(kind: LookUpKind, values: readonly string[]): void;
  /** Goes on where it failed, or asks all again: with the same keys, so that nothing is charged twice. */
  again(): void;
  /** Goes on with a new key for the call that failed. */
  anew(): void;
}

/** Looks companies up, twenty a call, one call after the other; the first that fails holds back those behind it. */
export function useLookUp(client: CesClient): LookUp {
  const [calls, setCalls] = useState<readonly LookUpCall[]>([]);
  const newest = useRef(0);
  const run = useCallback(
    async (first: readonly LookUpCall[]) => {
      newest.current += 1;
      const turn = newest.current;
      for await (const next of runCalls(client, first)) {
        if (turn !== newest.current) return;
        setCalls(next);
      }
    },
    [client],
  );
  const isFinished = calls.every(({ state }) => state === 'done');
  return {
    calls,
    isRunning: calls.some(({ state }) => state === 'running'),
    start: (kind, values) => void run(splitCalls(values).map((part) => newCall(kind, part))),
    again: () => void run(calls.map((call) => (isFinished || call.state !== 'done' ? waiting(call) : call))),
    anew: () => void run(calls.map((call) => (call.state === 'failed' ? newCall(call.kind, call.values) : call))),
  };
}

/** What a call of the client takes; a look-up is of one kind alone. */
export function inputsOf(kind: LookUpKind, values: readonly string[]): CompanyLookupInput {
  return kind === 'ids' ? { ids: values.map(Number) } : { domains: values };
}

function newCall(kind: LookUpKind, values: readonly string[]): LookUpCall {
  return { requestKey: crypto.randomUUID(), kind, values, state: 'waiting' };
}

function waiting({ requestKey, kind, values }: LookUpCall): LookUpCall {
  return { requestKey, kind, values, state: 'waiting' };
}

/** All calls after each change, until all are done or one failed. */
async function* runCalls(client: CesClient, first: readonly LookUpCall[]): AsyncGenerator<readonly LookUpCall[]> {
  let calls = first;
  for (const [at, call] of first.entries()) {
    if (call.state === 'done') continue;
    calls = calls.with(at, { ...call, state: 'running' });
    yield calls;
    calls = calls.with(at, await ask(client, call));
    yield calls;
    if (calls[at]?.state === 'failed') return;
  }
}

async function ask(client: CesClient, call: LookUpCall): Promise<LookUpCall> {
  const operation = client.lookUpCompanies(inputsOf(call.kind, call.values), { requestKey: call.requestKey });
  try {
    const result = await operation.done();
    return { ...call, state: 'done', result, replayed: operation.replayed };
  } catch (error) {
    return { ...call, state: 'failed', error };
  }
}
