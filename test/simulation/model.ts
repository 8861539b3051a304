import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction } from '@ces/chassis/postgres/pool';
import { FailureCode, fail, failureOf } from '@ces/chassis/rpc/failure';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import { type Answer, answerOf, callerOfAccount, type Stack } from '@ces/operations/test-support/stack';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { expect } from 'vitest';

export type LedgerWeather = 'fine' | 'away' | 'replies lost';
export type SearchWeather = 'fine' | 'slow' | 'away' | 'without a plan';

/** Long enough for a lease to end meanwhile, in milliseconds. */
const SLOW_MS = 250;

interface KnownKey {
  input: string;
  id: bigint;
  status: Status;
  companies: readonly bigint[] | undefined;
}

/** What clients must observe under any mix of calls, faults and passing time. */
export interface Model {
  readonly keys: Map<string, KnownKey>;
  /**
   * Inputs of lookups that failed without an answer: one of them may own the key and be charged.
   */
  readonly perhaps: Map<string, Set<string>>;
  ledger: LedgerWeather;
  search: SearchWeather;
}

/** Two operations processes on one database. `prefix` separates the keys of this run. */
export interface Real {
  readonly stack: Stack;
  readonly processes: readonly RunningService[];
  readonly prefix: string;
}

export function newModel(): Model {
  return { keys: new Map(), perhaps: new Map(), ledger: 'fine', search: 'fine' };
}

export function setWeather({ stack }: Real, { ledger, search }: Pick<Model, 'ledger' | 'search'>): void {
  const lost = () => fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  stack.ledger.before = (method) => {
    if (ledger === 'away' && method !== 'getAllowance') throw lost();
  };
  stack.ledger.after = (method) => {
    if (ledger === 'replies lost' && method !== 'getAllowance') throw lost();
  };
  stack.search.before = async () => {
    if (search === 'slow') await pause(SLOW_MS);
    if (search === 'away') throw lost();
    if (search === 'without a plan') throw fail(FailureCode.PLANNING_UNAVAILABLE, 'no plan');
  };
}

export async function submit(
  model: Model,
  real: Real,
  key: string,
  input: string,
  process: number,
  background: boolean,
) {
  const call = { requestKey: `${real.prefix}${key}`, input: { query: input }, background, waitMs: 150 };
  const before = statusOf(model, key);
  try {
    seen(model, key, input, before, await real.stack.submit(call, real.processes[process]));
  } catch (error) {
    expectTurnedAway(model, key, input, error);
  }
}

export async function lookUp(model: Model, real: Real, key: string, input: string, process: number): Promise<void> {
  const { stack, processes, prefix } = real;
  const call = { caller: callerOfAccount(), requestKey: `${prefix}${key}`, input: { ids: [BigInt(input)] } };
  const before = statusOf(model, key);
  try {
    seen(model, key, input, before, answerOf(await stack.client(processes[process]).submitCompanyLookup(call)));
  } catch (error) {
    expectTurnedAway(model, key, input, error);
    model.perhaps.set(key, (model.perhaps.get(key) ?? new Set()).add(input));
  }
}

/** A conflict requires another input of the key, and an error requires a faulty ledger. */
function expectTurnedAway(model: Model, key: string, input: string, error: unknown): void {
  const code = failureOf(error)?.code;
  if (code === undefined) throw error;
  if (code === FailureCode.IDEMPOTENCY_CONFLICT) {
    const holders = [...(model.perhaps.get(key) ?? []), model.keys.get(key)?.input ?? input];
    expect(
      holders.filter((other) => other !== input),
      `${key} conflicts with nothing`,
    ).not.toEqual([]);
  } else {
    expect(code).toBe(FailureCode.SERVICE_UNAVAILABLE);
    expect(model.ledger, `turned away in fine weather: ${error}`).not.toBe('fine');
  }
}

export async function poll(model: Model, real: Real, key: string): Promise<void> {
  const known = model.keys.get(key);
  if (!known) return;
  try {
    seen(model, key, known.input, known.status, await real.stack.poll(known.id));
  } catch (error) {
    if (failureOf(error)?.code !== FailureCode.SERVICE_UNAVAILABLE) throw error;
    expect(model.ledger, 'turned away in fine weather').not.toBe('fine');
  }
}

export async function endLeases({ stack, prefix }: Pick<Real, 'stack' | 'prefix'>): Promise<void> {
  await inTransaction(stack.db, async (db) => {
    // Locks the jobs first and by number, like every statement.
    const { rows: jobs } = await db.query<{ operation_id: bigint }>(
      `select operation_id from job join operation on id = operation_id where starts_with(request_key, $1)
       order by operation_id for update of job`,
      [prefix],
    );
    const ids = jobs.map((job) => job.operation_id);
    await db.query('update job set due_at = clock_timestamp() where operation_id = any ($1)', [ids]);
    await db.query(
      `update operation set stored_at = stored_at - interval '1 hour' where id = any ($1) and state = 'stored'`,
      [ids],
    );
  });
}

/** The state of a key when a call begins: two concurrent calls may be answered in either order. */
function statusOf({ keys }: Model, key: string): Status {
  return keys.get(key)?.status ?? Status.UNSPECIFIED;
}

/**
 * Checks that a key has one operation, one input and one result, and that its state never falls
 * below `before`.
 */
function seen(model: Model, key: string, input: string, before: Status, answer: Answer): void {
  const { id, status, units } = answer.usage;
  const known = model.keys.get(key) ?? { input, id, status, companies: undefined };
  expect({ input: known.input, id: known.id }).toEqual({ input, id });
  expect(status).toBeGreaterThanOrEqual(before);
  const isLater = status > known.status;
  if (known.status >= Status.DELIVERED && status >= Status.DELIVERED) expect(status).toBe(known.status);
  const companies = companiesOf(answer);
  if (companies) {
    expect(Number(units?.deliveredUnits)).toBe(companies.length);
    expect(companies).toEqual(known.companies ?? companies);
  } else expect(Number(units?.requestUnits)).toBe(0);
  model.keys.set(key, { ...known, status: isLater ? status : known.status, companies: companies ?? known.companies });
}

function companiesOf({ outcome }: Answer): readonly bigint[] | undefined {
  if (outcome.case === 'companySearch') return outcome.value.companies.map((match) => match.company?.id ?? 0n);
  if (outcome.case === 'companyLookup') return outcome.value.companies.map(({ id }) => id);
  return undefined;
}

/**
 * With all faults removed, every operation ends and the ledger has one entry for each delivered
 * operation. Only charges whose answer was lost have an operation that no client knows.
 */
export async function expectAllEnded(model: Model, real: Real): Promise<void> {
  Object.assign(model, { ledger: 'fine', search: 'fine' });
  setWeather(real, model);
  // Repeated failures have made the pause before the next attempt longer than this test waits.
  await endLeases(real);
  const { stack, prefix } = real;
  const rowsOf = async () =>
    (
      await stack.db.query<{ id: bigint; request_key: string; state: string; delivered_units: number }>(
        `select id, request_key, state, delivered_units from operation where starts_with(request_key, $1)`,
        [prefix],
      )
    ).rows;
  const open = async () => (await rowsOf()).filter(({ state }) => state !== 'delivered' && state !== 'failed');
  await expect.poll(open, { timeout: 15_000, interval: 20 }).toEqual([]);
  const rows = await rowsOf();
  for (const { id, state, delivered_units } of rows) {
    const movement = stack.ledger.postings.get(id);
    expect({ id, state: movement?.state }).toEqual({
      id,
      state: state === 'delivered' ? HoldState.POSTED : HoldState.VOID,
    });
    if (state === 'delivered') expect(Number(movement?.delivered)).toBe(delivered_units);
  }
  const told = (key: string) => model.keys.has(key) || model.perhaps.has(key);
  expect(rows.filter(({ request_key }) => !told(request_key.slice(prefix.length)))).toEqual([]);
  const { rows: all } = await stack.db.query<{ delivered: bigint }>(
    `select count(*) as delivered from operation where state = 'delivered'`,
  );
  expect([stack.ledger.count(HoldState.HELD), stack.ledger.count(HoldState.POSTED)]).toEqual([
    0,
    Number(all[0]?.delivered),
  ]);
  for (const [key, known] of model.keys) {
    const row = rows.find(({ request_key }) => request_key === `${prefix}${key}`);
    expect(row?.id).toBe(known.id);
    await poll(model, real, key);
  }
}
