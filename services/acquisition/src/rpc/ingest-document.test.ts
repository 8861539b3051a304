import { gzipSync } from 'node:zlib';
import { RunState } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import { type FakeRecord, startFakeRecord } from '../../test-support/fake-record.ts';
import { type StartedAcquisition, startAcquisition } from '../../test-support/started-acquisition.ts';

let lookup: FakeRecord;
let acquisition: StartedAcquisition;

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}
const reader = new Reader();

beforeAll(async () => {
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  lookup = await startFakeRecord();
  acquisition = await startAcquisition({ lookup, sources: [bulletin] });
});

afterAll(async () => {
  await acquisition[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
  metrics.disable();
});

async function undecodable(): Promise<unknown> {
  const { resourceMetrics } = await reader.collect();
  const all = resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) => found);
  return all.find(({ descriptor }) => descriptor.name === 'ces.source.undecodable')?.dataPoints[0];
}

const COLUMNS = ['number', 'title', 'buyer', 'published', 'closes', 'text', 'status', 'contact'];

function row(number: string, changes: Record<string, string> = {}): Record<string, string> {
  const notice = { number, title: `Works ${number}`, buyer: `Town ${number.slice(-1)}`, published: '2026-11-02' };
  const rest = { closes: '2026-12-01T14:00', text: 'Clear the roads.', status: 'open', contact: 'Jo 613-555-0142' };
  return { ...notice, ...rest, ...changes };
}

function csv(rows: readonly Record<string, string>[], columns: readonly string[] = COLUMNS): string {
  return [columns, ...rows.map((one) => columns.map((name) => one[name] ?? ''))]
    .map((cells) => cells.join(','))
    .join('\n');
}

function rows(prefix: string, count: number): Record<string, string>[] {
  return Array.from({ length: count }, (_, index) => row(`${prefix}-${index}`));
}

test('a file is kept, recorded and counted, and the same file again is nothing new', async () => {
  const file = csv(rows('A', 600));
  const first = await acquisition.ingest('bulletin', file);
  expect(first).toMatchObject({ state: RunState.DONE, records: 600n, newRecords: 600n, created: 600n, companies: 10n });
  expect(lookup.sources.get('bulletin')).toMatchObject({ licence: 'Open licence', attribution: 'Tender bulletin' });
  expect(Math.max(...lookup.batches)).toBeLessThanOrEqual(500);
  const again = await acquisition.ingest('bulletin', gzipSync(file), 'file.csv.gz');
  expect(again).toMatchObject({ state: RunState.DONE, records: 600n, newRecords: 0n, created: 0n, seen: 600n });
});

test('a file in another charset is recorded as it was published, and one that cannot be decoded is refused and counted', async () => {
  expect(await undecodable()).toMatchObject({ value: 0, attributes: { source: 'bulletin' } });
  const file = csv([row('M-1', { buyer: 'Ville de Montréal', text: 'Dégager les chaussées.' })]);
  expect(await acquisition.ingest('bulletin', Buffer.from(file, 'latin1'))).toMatchObject({ created: 1n });
  expect(lookup.observations.get('bulletin M-1')).toMatchObject({
    company: { name: 'Ville de Montréal' },
    evidence: [{ excerpt: expect.stringContaining('Dégager les chaussées.') }],
  });
  const damaged = Buffer.concat([Buffer.from(file.replace('M-1', 'M-2')), Buffer.of(0xff)]);
  expect(await acquisition.ingest('bulletin', damaged)).toMatchObject({
    state: RunState.FAILED,
    created: 0n,
    failure: expect.stringMatching(/^the document holds bytes that are not UTF-8/),
  });
  expect(await undecodable()).toMatchObject({ value: 1, attributes: { source: 'bulletin' } });
});

test('shuffled rows and columns are the same records', async () => {
  const notices = rows('B', 60);
  await acquisition.ingest('bulletin', csv(notices));
  const shuffled = await acquisition.ingest('bulletin', csv(notices.toReversed(), COLUMNS.toReversed()));
  expect(shuffled).toMatchObject({ state: RunState.DONE, newRecords: 0n, created: 0n, seen: 60n, amended: 0n });
});

test('a renamed column raises the drift alarm: rows are refused by its name and kept, and nothing else is said', async () => {
  const observations = lookup.observations.size;
  const file = csv(rows('C', 60)).replace('closes', 'closing_date');
  const run = await acquisition.ingest('bulletin', file);
  expect(run).toMatchObject({ state: RunState.DRIFT, created: 0n, newRecords: 60n, driftMissing: ['closes'] });
  expect(run.driftNew).toEqual(['closing_date']);
  expect(run.refused).toEqual([expect.objectContaining({ field: 'closes', count: 60n, example: 'C-0' })]);
  expect(lookup.observations.size).toBe(observations);
  const { sources } = await acquisition.admin.listSources({});
  expect(sources[0]?.driftMissing).toEqual(['closes']);
  await acquisition.ingest('bulletin', csv(rows('C', 60)));
  const { sources: later } = await acquisition.admin.listSources({});
  expect(later[0]?.driftAt).toBeUndefined();
});

test('an optional column that vanishes is drift too, since every text would be another', async () => {
  const run = await acquisition.ingest(
    'bulletin',
    csv(
      rows('D', 60),
      COLUMNS.filter((name) => name !== 'text'),
    ),
  );
  expect(run).toMatchObject({ state: RunState.DRIFT, created: 0n, driftMissing: ['text'] });
});

test('an amended notice is the same observation, an award closes it, and refusals have a reason', async () => {
  await acquisition.ingest('bulletin', csv([row('E-1')]));
  const run = await acquisition.ingest(
    'bulletin',
    csv([
      row('E-1', { closes: '2026-12-24T14:00' }),
      row('E-2', { status: 'awarded' }),
      row('E-3', { published: 'soon' }),
    ]),
  );
  expect(run).toMatchObject({ state: RunState.DONE, amended: 1n, closings: 1n, created: 0n });
  expect(run.refused).toEqual([expect.objectContaining({ field: 'published', reason: 'is no date', example: 'E-3' })]);
});

test('a file with two versions of a record amends it once: the same file again is nothing new', async () => {
  const file = csv([row('V-1'), row('V-2'), row('V-1', { closes: '2026-12-24T14:00' })]);
  expect(await acquisition.ingest('bulletin', file)).toMatchObject({ newRecords: 3n, created: 2n, amended: 1n });
  const again = await acquisition.ingest('bulletin', file);
  expect(again).toMatchObject({ state: RunState.DONE, newRecords: 0n, created: 0n, amended: 0n, seen: 3n });
});

test('a broken file fails after its readable records are stored, and continues when it is ingested again', async () => {
  const file = gzipSync(csv(rows('F', 2000)));
  const broken = await acquisition.ingest('bulletin', file.subarray(0, file.length - 200), 'file.csv.gz');
  expect(broken.state).toBe(RunState.FAILED);
  const whole = await acquisition.ingest('bulletin', file, 'file.csv.gz');
  expect(whole.state).toBe(RunState.DONE);
  expect(whole.created + whole.seen).toBe(2000n);
});

test('a disabled source takes no file', async () => {
  await expect(acquisition.admin.setSource({ name: 'bulletin', enabled: false })).rejects.toThrow(/Say in reason/);
  await acquisition.admin.setSource({ name: 'bulletin', enabled: false, reason: 'asked to stop' });
  await expect(acquisition.ingest('bulletin', csv([row('G-1')]))).rejects.toThrow(/disabled \(asked to stop\)/);
  await acquisition.admin.setSource({ name: 'bulletin', enabled: true });
  expect((await acquisition.ingest('bulletin', csv([row('G-1')]))).created).toBe(1n);
});

test('no contact of a source is kept, in the raw record neither', async () => {
  const { rows: kept } = await acquisition.owner.query<{ content: Buffer }>('select content from raw_record');
  expect(kept.length).toBeGreaterThan(0);
  for (const { content } of kept) expect(content.toString()).not.toContain('555-0142');
});

test('every excerpt holds against its raw record, and one changed byte is found', async () => {
  const whole = await acquisition.admin.verifyEvidence({});
  expect(whole.checked).toBe(lookup.observations.size);
  expect(whole.broken).toEqual([]);
  await acquisition.owner.query(
    `update raw_record set content = set_byte(content, 20, get_byte(content, 20) # 1) where source_key = 'A-7'`,
  );
  const { broken } = await acquisition.admin.verifyEvidence({});
  expect(broken).toEqual([expect.objectContaining({ problem: 'its raw record has changed' })]);
  expect([...lookup.problems.values()].filter((problem) => problem !== '')).toHaveLength(1);
});
