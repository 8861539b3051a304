import { expect, test } from 'vitest';
import { createCircuit } from './circuit.ts';

function circuitAt() {
  let now = Date.parse('2026-11-01T00:00:00Z');
  const circuit = createCircuit({ now: () => new Date(now) });
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1) circuit.failed();
  };
  return { circuit, fail, pass: (ms: number) => (now += ms) };
}

test('an endpoint that fails five times in succession is not called for ten seconds, then by one caller', () => {
  const { circuit, fail, pass } = circuitAt();
  fail(4);
  expect(circuit.mayAsk()).toBe(true);
  fail(1);
  expect(circuit.mayAsk()).toBe(false);
  pass(9_999);
  expect(circuit.mayAsk()).toBe(false);
  pass(1);
  expect([circuit.mayAsk(), circuit.mayAsk()]).toEqual([true, false]);
});

test('the one who tries decides for all: a failure pauses again, a success ends it', () => {
  const { circuit, fail, pass } = circuitAt();
  fail(5);
  pass(10_000);
  expect(circuit.mayAsk()).toBe(true);
  fail(1);
  expect(circuit.mayAsk()).toBe(false);
  pass(10_000);
  expect(circuit.mayAsk()).toBe(true);
  circuit.succeeded();
  expect([circuit.mayAsk(), circuit.mayAsk()]).toEqual([true, true]);
});

test('a success in between is no succession', () => {
  const { circuit, fail } = circuitAt();
  fail(4);
  circuit.succeeded();
  fail(4);
  expect(circuit.mayAsk()).toBe(true);
});

test('a clock that was set back by a day pauses nothing for a day', () => {
  const { circuit, fail, pass } = circuitAt();
  fail(5);
  pass(-86_400_000);
  expect(circuit.mayAsk()).toBe(true);
});
