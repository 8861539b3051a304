import { create } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import { ListChangesRequestSchema } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Change, ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  recordCompanies,
  recordObservations,
  untilReadable,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { appendObservationChanges } from '../changes/change-feed.ts';
import { markForeignChangesPast } from '../changes/feed-epoch.ts';
import type { Dependencies } from '../dependencies.ts';
import { listChanges } from './list-changes.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

async function newestPosition() {
  await untilReadable(service);
  const { completeTo } = await service.lookup.listChanges({ after: { tx: 2n ** 63n - 1n, seq: 0n } });
  if (!completeTo) throw new Error('no position');
  return completeTo;
}

async function readOn(after: { tx: bigint; seq: bigint }, limit = 1000) {
  const changes: Change[] = [];
  for (let position = after; ; ) {
    const page = await service.lookup.listChanges({ after: position, limit });
    changes.push(...page.changes);
    position = page.completeTo ?? position;
    if (!page.hasMore) return { changes, completeTo: { tx: position.tx, seq: position.seq } };
  }
}

test('the change feed grows with each write, in pages that neither repeat nor leave out', async () => {
  expect(await service.lookup.listChanges({})).toMatchObject({ changes: [], hasMore: false });
  const { tx: companyTx } = await service.record.recordCompanies({ source: 's', companies: [aCompany('a')] });
  const observations = Array.from({ length: 5 }, (_, n) => anObservation(`a ${n}`, 'a'));
  const { tx, observations: results } = await service.record.recordEvidence({ source: 's', observations });
  await untilReadable(service);
  const { changes, completeTo } = await readOn({ tx: 0n, seq: 0n }, 2);
  expect(changes.map((change) => change.tx)).toEqual([companyTx, tx, tx, tx, tx, tx]);
  expect(changes.map((change) => change.observationId).toSorted()).toEqual([
    0n,
    ...results.map((result) => result.observationId),
  ]);
  expect(completeTo.tx).toBe(tx);
  expect(await readOn(completeTo)).toEqual({ changes: [], completeTo });
  expect(await readOn({ tx: 2n ** 63n - 1n, seq: 0n })).toEqual({ changes: [], completeTo });
});

async function statementsOf(after: ChangePosition): Promise<{ texts: string[]; changes: number }> {
  const texts: string[] = [];
  const query = (text: string, values?: unknown[]) => {
    texts.push(text);
    return service.pool.query(text, values);
  };
  const dependencies = { pool: { query } } as unknown as Dependencies;
  const { changes = [] } = await listChanges(dependencies, create(ListChangesRequestSchema, { after, limit: 2_000 }));
  return { texts, changes: changes.length };
}

test('a look at the feed where nothing is new is one statement, and another reads what is', async () => {
  await recordCompanies(service, [aCompany('looks')]);
  const at = await newestPosition();
  expect(await statementsOf(at)).toMatchObject({ texts: { length: 1 }, changes: 0 });
  await recordCompanies(service, [aCompany('looks', { name: 'Renamed for a look' })]);
  await untilReadable(service);
  expect(await statementsOf(at)).toMatchObject({ texts: { length: 2 }, changes: 1 });
});

test('a change that commits late is never skipped: later ones wait for it', async () => {
  const [, other = 0n] = await recordCompanies(service, [aCompany('late'), aCompany('other')]);
  const [late = 0n] = await recordObservations(service, [anObservation('late', 'late')]);
  await untilReadable(service);
  const { completeTo } = await readOn({ tx: 0n, seq: 0n });
  await inTransaction(service.pool, async (client) => {
    await appendObservationChanges(client, [late]);
    await recordCompanies(service, [aCompany('other', { name: 'Renamed' })]);
    expect((await readOn(completeTo)).changes).toEqual([]);
  });
  await untilReadable(service);
  const { changes } = await readOn(completeTo);
  expect(changes.map((change) => [change.observationId, change.companyId])).toEqual([
    [late, 0n],
    [0n, other],
  ]);
});

test('a position of another epoch, or beyond the end, is said to be lost, with the newest one to go on from', async () => {
  await recordCompanies(service, [aCompany('positions')]);
  const at = await newestPosition();
  expect(await service.lookup.listChanges({ after: at })).toMatchObject({ changes: [], positionLost: false });
  const lost = [
    { ...at, epoch: at.epoch.replace(/^[^.]*/, 'another') },
    { ...at, epoch: at.epoch.replace(/\.\d+\./, '.1.') },
    { ...at, tx: at.tx + 1_000n },
  ];
  for (const after of lost)
    expect(await service.lookup.listChanges({ after })).toMatchObject({
      changes: [],
      positionLost: true,
      completeTo: at,
    });
  expect(await service.lookup.listChanges({ after: { ...at, epoch: '' } })).toMatchObject({ positionLost: false });
});

test('after a fail-over a position is valid if its change exists, and not if its numbers were reused', async () => {
  await recordCompanies(service, [aCompany('failed over')]);
  const at = await newestPosition();
  const before = { ...at, epoch: at.epoch.replace(/\d+$/, '0') };
  expect((await service.lookup.listChanges({ after: before })).positionLost).toBe(true);
  await service.owner.query('update change set timeline = 0 where tx = $1::xid8', [String(at.tx)]);
  expect(await service.lookup.listChanges({ after: before })).toMatchObject({ positionLost: false, completeTo: at });
  const gone = { ...before, seq: at.seq + 1n };
  expect((await service.lookup.listChanges({ after: gone })).positionLost).toBe(true);
});

test('changes numbered by another server block no reader once a new epoch has begun', async () => {
  const at = await newestPosition();
  await recordCompanies(service, [aCompany('dumped')]);
  await untilReadable(service);
  await service.owner.query(`update change set tx = (tx::text::bigint + 1000000)::text::xid8`);
  expect((await service.lookup.listChanges({})).changes).toEqual([]);
  let foreign = 0;
  for (
    let page = await markForeignChangesPast(service.pool, 3);
    ;
    page = await markForeignChangesPast(service.pool, 3)
  ) {
    foreign += Number(page.settled);
    if (page.isDone) break;
  }
  expect(await markForeignChangesPast(service.pool, 3)).toEqual({ settled: 0n, isDone: true });
  const listed = await service.lookup.listChanges({});
  expect(listed.changes).toHaveLength(foreign);
  expect((await service.lookup.listChanges({ after: at })).positionLost).toBe(true);
  await recordCompanies(service, [aCompany('since')]);
  await untilReadable(service);
  const { completeTo } = listed;
  expect((await service.lookup.listChanges({ ...(completeTo && { after: completeTo }) })).changes).toHaveLength(1);
});

test('a reader sees every change of many concurrent writers of different lengths', async () => {
  const writers = 8;
  await recordCompanies(
    service,
    Array.from({ length: writers }, (_, n) => aCompany(`w ${n}`)),
  );
  await untilReadable(service);
  const start = (await readOn({ tx: 0n, seq: 0n })).completeTo;
  const ids = await recordObservations(
    service,
    Array.from({ length: writers * 20 }, (_, n) => anObservation(`w ${n}`, `w ${n % writers}`)),
  );
  let writing = true;
  const write = async (writer: number) => {
    for (const id of ids.filter((_, n) => n % writers === writer))
      await inTransaction(service.pool, async (client) => {
        await appendObservationChanges(client, [id]);
        await client.query('select pg_sleep(random() * 0.01)');
      });
  };
  const written = Promise.all(Array.from({ length: writers }, (_, n) => write(n))).finally(() => {
    writing = false;
  });
  const seen: Change[] = [];
  let position = start;
  const follow = async () => {
    const { changes, completeTo } = await readOn(position, 7);
    seen.push(...changes);
    position = completeTo;
  };
  while (writing) await follow();
  await written;
  await untilReadable(service);
  await follow();
  const counts = Map.groupBy(seen, (change) => change.observationId);
  expect(ids.map((id) => counts.get(id)?.length)).toEqual(ids.map(() => 2));
});
