import { expect, test } from 'vitest';
import { listComponents } from '../components.ts';
import { PROCESS_MIB } from './figures.ts';
import { type Demand, planFor } from './plan.ts';

const DEMAND: Demand = { observations: 1_000_000, accounts: 10_000, callsADay: 50, searches: 0.5, unbounded: 0.2 };

test('calls a second are those of a day, and three times that at the peak', () => {
  const { mean, peak } = planFor(DEMAND);
  expect(mean).toBeCloseTo(500_000 / 86_400);
  expect(peak).toBeCloseTo(3 * mean);
});

test('ten times the accounts keep ten times the processors busy and fill ten times the disks of books, and none of the record', () => {
  const [one, ten] = [planFor(DEMAND), planFor({ ...DEMAND, accounts: 100_000 })];
  for (const [at, { cores }] of one.programs.entries()) expect(ten.programs[at]?.cores).toBeCloseTo(cores * 10);
  expect(ten.disks.ledger).toBeCloseTo(one.disks.ledger * 10);
  expect([ten.disks.lookup, ten.disks.search]).toEqual([one.disks.lookup, one.disks.search]);
});

test('nothing has fewer than two replicas, and none is busier than six tenths at the peak', () => {
  for (const accounts of [0, 1_000, 100_000, 1_000_000])
    for (const { replicas, cores } of planFor({ ...DEMAND, accounts }).programs) {
      expect(replicas).toBeGreaterThanOrEqual(2);
      expect(cores / replicas).toBeLessThanOrEqual(0.6);
    }
});

test('the memory of processes grows with their number', () => {
  const [few, many] = [planFor(DEMAND), planFor({ ...DEMAND, accounts: 1_000_000 })];
  for (const [at, { name, replicas, memory }] of few.programs.entries()) {
    const more = many.programs[at];
    expect(memory / replicas).toBe(PROCESS_MIB[name] * 1_048_576);
    expect(more?.memory).toBe((memory / replicas) * (more?.replicas ?? 0));
  }
  expect(many.programs.some(({ replicas }) => replicas > 2)).toBe(true);
});

test('connections are counted as the chart counts them', () => {
  for (const { name, replicas, connections } of planFor(DEMAND).programs) {
    const component = listComponents().find((one) => one.name === name);
    const pool = component?.settings.find((one) => one.name === `CES_${name.toUpperCase()}_DATABASE_POOL`)?.default;
    const each = Number(pool) + (component?.connectionsBesidePool ?? 0);
    expect(connections).toBe(component?.database ? (replicas + 2) * each + 1 : undefined);
  }
});

test('a search of a hundred million observations costs what its budget lets it, and their index wants room for each', () => {
  const [ten, hundred] = [10_000_000, 100_000_000].map((observations) => planFor({ ...DEMAND, observations }));
  expect(hundred?.indexCores).toBe(ten?.indexCores);
  expect(hundred?.disks.search).toBeCloseTo((ten?.disks.search ?? 0) * 10);
});
