import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RecordedTraces, recordTraces } from '../../test-support/recorded-traces.ts';
import { contextOf, inSpan, UNTRACED, untraced } from './span.ts';

let traces: RecordedTraces;

beforeAll(async () => {
  traces = await recordTraces();
});
afterAll(() => traces[Symbol.asyncDispose]());

const spanContext = () => inSpan('work', {}, async (span) => span.spanContext());

test('work in a trace that is not recorded here runs in the span that there is', async () => {
  expect(await untraced(spanContext)).toEqual(UNTRACED);
  const [outer, inner] = await untraced(() =>
    inSpan('outer', {}, async (span) => [span.spanContext(), await spanContext()]),
  );
  expect(inner).toEqual(outer);
});

test('work in a recorded trace, and the first work in a trace of another process, has its own span', async () => {
  const [outer, inner] = await inSpan('outer', {}, async (span) => [span.spanContext(), await spanContext()]);
  expect(inner).toMatchObject({ traceId: outer?.traceId, traceFlags: 1 });
  expect(inner?.spanId).not.toBe(outer?.spanId);
  const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const parent = contextOf(`00-${caller.traceId}-${caller.spanId}-00`);
  const own = await inSpan('served', {}, async (span) => span.spanContext(), parent);
  expect(own).toMatchObject({ traceId: caller.traceId, traceFlags: 0 });
  expect(own.spanId).not.toBe(caller.spanId);
});

test('an error that work throws synchronously rejects', async () => {
  const thrown = new Error('at once');
  const work = () => {
    throw thrown;
  };
  await expect(untraced(() => inSpan('work', {}, work))).rejects.toBe(thrown);
  await expect(inSpan('work', {}, work)).rejects.toBe(thrown);
});
