import { RunState, RunTrigger } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import { startFakeRecord } from '../../test-support/fake-record.ts';
import { startLocalServer } from '../../test-support/local-server.ts';
import { startAcquisition } from '../../test-support/started-acquisition.ts';

const HEADER = 'number,title,buyer,published,closes,text,status,contact';

test('a source runs by its schedule, once a time however many processes there are', async () => {
  await using lookup = await startFakeRecord();
  await using server = await startLocalServer((_, response) =>
    response.end(`${HEADER}\nT-1,Works,Town,2026-11-02,2026-12-01,Road.,open,\n`),
  );
  let now = new Date('2026-11-21T12:00:00Z');
  const options = {
    lookup,
    clock: { now: () => now },
    sources: [{ ...bulletin, politeness: { ...bulletin.politeness, obeysRobots: false } }],
    env: {
      CES_ACQUISITION_SCHEDULES: 'true',
      CES_ACQUISITION_SCHEDULE_INTERVAL_MS: '100',
      CES_ACQUISITION_ALLOWED_ADDRESSES: server.address,
      CES_ACQUISITION_MIRRORS: `bulletin.example=${server.url}`,
    },
  };
  await using one = await startAcquisition(options);
  await using _other = await startAcquisition({ ...options, database: one.database });
  await one.admin.setSource({ name: 'bulletin', settings: { address: 'https://bulletin.example/t.csv' } });
  const runs = async () => (await one.admin.listRuns({ source: 'bulletin' })).runs;
  const planned = async () => (await one.admin.listSources({})).sources[0]?.nextRunAt?.seconds;
  await expect.poll(planned).toBeDefined();
  expect(await runs()).toEqual([]);
  now = new Date('2026-11-21T12:10:00Z');
  await expect.poll(async () => (await runs())[0]?.state).toBe(RunState.DONE);
  now = new Date('2026-11-21T13:30:00Z');
  await expect.poll(async () => (await runs()).length).toBe(2);
  await expect.poll(async () => (await runs())[0]?.state).toBe(RunState.DONE);
  expect((await runs()).every((run) => run.trigger === RunTrigger.SCHEDULE)).toBe(true);
  expect(server.requests).toHaveLength(2);
});
