import { type CesClient, type CompanyLookupInput, createRequestKey } from '@ces/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isSamePress, type KeptCall, keepCalls, type Press, readKeptCalls } from './kept-calls.ts';
import type { LookUpCall, LookUpKind } from './look-up-call.ts';
import { splitCalls } from './split-calls.ts';

export interface LookUp {
  readonly calls: readonly LookUpCall[];
  readonly isRunning: boolean;
  start(kind: LookUpKind, values: readonly string[]): void;
  /** The keys stay the same, so it is free. */
  again(): void;
  restart(): void;
}

/** Calls twenty inputs at a time. A reload repeats started calls by their keys. */
export function useLookUp(client: CesClient): LookUp {
  const [calls, setCalls] = useState<readonly LookUpCall[]>([]);
  const newest = useRef(0);
  const pressed = useRef<Press>(undefined);
  const run = useCallback(
    async (first: readonly LookUpCall[]) => {
      newest.current += 1;
      const turn = newest.current;
      for await (const next of runCalls(client, first)) {
        if (turn !== newest.current) return;
        keepCalls(next);
        setCalls(next);
      }
    },
    [client],
  );
  useEffect(() => {
    const kept = readKeptCalls();
    if (kept.length > 0) void run(kept.map(waiting));
  }, [run]);
  function start(kind: LookUpKind, values: readonly string[]): void {
    const press = { kind, values, at: Date.now() };
    if (isSamePress(pressed.current, press)) return;
    pressed.current = press;
    void run(splitCalls(values).map((part) => newCall(kind, part)));
  }
  const isFinished = calls.every(({ state }) => state === 'done');
  return {
    calls,
    isRunning: calls.some(({ state }) => state === 'running'),
    start,
    again: () => void run(calls.map((call) => (isFinished || call.state !== 'done' ? waiting(call) : call))),
    restart: () => void run(calls.map((call) => (call.state === 'failed' ? newCall(call.kind, call.values) : call))),
  };
}

export function inputsOf(kind: LookUpKind, values: readonly string[]): CompanyLookupInput {
  return kind === 'ids' ? { ids: values.map(Number) } : { domains: values };
}

function newCall(kind: LookUpKind, values: readonly string[]): LookUpCall {
  return { requestKey: createRequestKey(), kind, values, state: 'waiting' };
}

function waiting({ requestKey, kind, values }: KeptCall): LookUpCall {
  return { requestKey, kind, values, state: 'waiting' };
}

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
