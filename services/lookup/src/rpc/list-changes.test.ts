import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Change } from '@ces/proto/ces/lookup/v1/record_pb.ts';
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

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});

afterAll(() => service[Symbol.asyncDispose]());

/** Everything after a position, in pages of `limit`. */
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

test('a reader beside many writers of different lengths ends with every change', async () => {
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
