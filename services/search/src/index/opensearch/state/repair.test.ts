import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observation } from '../../../../test-support/documents.ts';
import {
  batch,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import { verifyAtStart } from '../opensearch-index.ts';

describeWithOpenSearch('an engine that does not have what Postgres says', () => {
  let subject: OpenSearchUnderTest;
  beforeEach(async () => {
    subject = await openOpenSearchIndex();
    await subject.index.maintain();
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  const battery = [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')];

  async function drop(pattern: RegExp): Promise<void> {
    const index = (await subject.indices()).filter((name) => pattern.test(name));
    await subject.client.indices.delete({ index });
  }

  test('indices are there before anything comes', async () => {
    expect(await subject.found('batteri')).toEqual([]);
    expect(await subject.index.size()).toMatchObject({ observations: 0n, companies: 0n });
    expect((await subject.index.feedState()).live).toBeUndefined();
    expect(await subject.indices()).toEqual([`${subject.prefix}company-1`, `${subject.prefix}observation-1`]);
  });

  test.each([/./, /observation/, /company/])('an index that it lost (%s) is filled again', async (lost) => {
    await subject.index.apply(batch({ observations: battery }, undefined, 5n), 1n);
    await drop(lost);
    const after = subject.another();
    expect(await after.feedState()).toMatchObject({ live: undefined, complete: false });
    await expect(after.apply(batch({}, 5n, 6n), 1n)).rejects.toThrow('moved');
    await after.apply(batch({ observations: battery }, undefined, 6n), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    expect(await after.feedState()).toMatchObject({ live: { tx: 6n }, complete: true });
    await subject.another().maintain();
    expect(await subject.indices()).toHaveLength(2);
  });

  test('lost parts of a rebuild are rebuilt again, and searches continue', async () => {
    await subject.index.apply(batch({ observations: battery }, undefined, 5n), 1n);
    await subject.index.beginRebuild();
    await subject.index.apply(batch({ observations: battery }, undefined, 3n, 'rebuild'), 1n);
    await drop(/observation-2/);
    const after = subject.another();
    expect(await after.feedState()).toMatchObject({ live: { tx: 5n }, rebuilding: true, rebuild: undefined });
    await after.finishRebuild(1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    expect(await after.feedState()).toMatchObject({ rebuilding: true });
    await after.apply(batch({ observations: battery.slice(1) }, undefined, 6n, 'rebuild'), 1n);
    await after.finishRebuild(1n);
    expect(await subject.found('batteri')).toEqual([2n]);
    expect(await subject.indices()).toHaveLength(2);
  });

  test('documents lost during a rebuild are filled again', async () => {
    await subject.index.apply(batch({ observations: battery }, undefined, 5n), 1n);
    await subject.index.beginRebuild();
    await subject.index.apply(batch({ observations: battery }, undefined, 3n, 'rebuild'), 1n);
    await drop(/observation-1/);
    const after = subject.another();
    expect(await after.feedState()).toMatchObject({ live: undefined, complete: false, rebuilding: false });
    await after.apply(batch({ observations: battery.slice(1) }, undefined, 6n), 1n);
    expect(await subject.found('batteri')).toEqual([2n]);
    expect(await after.feedState()).toMatchObject({ live: { tx: 6n }, rebuilding: false });
  });

  test('a rebuild of an empty record ends', async () => {
    await subject.index.beginRebuild();
    await subject.index.finishRebuild(1n);
    expect(await subject.index.feedState()).toMatchObject({ rebuilding: false });
    expect(await subject.indices()).toEqual([`${subject.prefix}company-2`, `${subject.prefix}observation-2`]);
  });

  test('an index whose database was emptied has no earlier documents', async () => {
    await subject.index.apply(batch({ observations: battery }, undefined, 5n), 1n);
    const owner = new pg.Client({ connectionString: subject.database.ownerUrl });
    await owner.connect();
    await owner.query('delete from opensearch_feed');
    await owner.query('insert into opensearch_feed default values');
    await owner.end();
    const after = subject.another();
    await after.apply(batch({ observations: [observation(3n, 3n, 'battery mill')] }, undefined, 1n), 1n);
    expect(await subject.found('batteri')).toEqual([3n]);
  });

  test('a projector of a lower fence repairs nothing', async () => {
    await subject.index.apply(batch({ observations: battery }, undefined, 5n), 2n);
    await drop(/./);
    await expect(subject.another().apply(batch({ observations: battery }, undefined, 6n), 1n)).rejects.toThrow('leads');
    expect(await subject.indices()).toEqual([]);
  });

  test('indices of another release are refused with a sentence that says what to do', async () => {
    const { client, prefix } = subject;
    await client.indices.putMapping({ index: `${prefix}company-1`, body: { _meta: { layout: 'other' } } });
    const after = subject.another();
    const sentence = new RegExp(
      `${prefix}company-1 .*of another release.*CES_SEARCH_OPENSEARCH_PREFIX, now ${prefix},`,
    );
    await expect(verifyAtStart(subject)).rejects.toThrow(sentence);
    await expect(after.feedState()).rejects.toThrow(sentence);
    await expect(after.apply(batch({}, undefined, 1n), 1n)).rejects.toThrow(sentence);
  });
});
