import { expect, test } from 'vitest';
import { callsToKeep, isSamePress, parseCalls } from './kept-calls.ts';

const press = { kind: 'domains', values: ['a.example', 'b.example'], at: 10_000 } as const;

test('the second click of a double click is the same press, however fast the answer was', () => {
  expect(isSamePress(undefined, press)).toBe(false);
  expect(isSamePress(press, { ...press, at: 10_400 })).toBe(true);
  expect(isSamePress(press, { ...press, at: 11_000 })).toBe(false);
  expect(isSamePress(press, { ...press, at: 9_999 })).toBe(false);
  expect(isSamePress(press, { ...press, values: ['a.example'], at: 10_400 })).toBe(false);
  expect(isSamePress({ ...press, kind: 'ids' }, { ...press, at: 10_400 })).toBe(false);
});

test('look-ups kept by a tab are read back, and damaged ones are left out', () => {
  const call = { requestKey: 'k', kind: 'ids', values: ['7'] };
  expect(parseCalls(JSON.stringify([call, { ...call, kind: 'names' }, { ...call, values: [7] }, null, 'x']))).toEqual([
    call,
  ]);
  for (const stored of [null, '', '{', '{}', 'null']) expect(parseCalls(stored)).toEqual([]);
});

test('a call that was begun is kept while those before it are asked for again, and one that never was is not', () => {
  const call = (requestKey: string) => ({ requestKey, kind: 'ids', values: [requestKey] }) as const;
  const calls = [
    { ...call('1'), state: 'running' },
    { ...call('2'), state: 'waiting' },
    { ...call('3'), state: 'waiting' },
  ] as const;
  expect(callsToKeep(calls, [])).toEqual([call('1')]);
  expect(callsToKeep(calls, [call('1'), call('2')])).toEqual([call('1'), call('2')]);
});
