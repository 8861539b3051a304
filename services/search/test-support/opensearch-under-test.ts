import { randomBytes } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { type Clock, systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import {
  type ChangePosition,
  ChangePositionSchema,
  CompanyDocumentSchema,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import type { Client } from '@opensearch-project/opensearch';
import { inject } from 'vitest';
import type { FeedRange, IndexBatch, ObservationIndex } from '../src/index/observation-index.ts';
import { connectOpenSearch } from '../src/index/opensearch/client/connect.ts';
import { createOpenSearchIndex, type OpenSearchIndexOptions } from '../src/index/opensearch/opensearch-index.ts';
import { type IndexUnderTest, indexUnderTest, vocabulary } from './index-under-test.ts';

const URL = inject('openSearchUrl');

interface Documents {
  readonly observations?: readonly MessageInitShape<typeof ObservationDocumentSchema>[];
  readonly companies?: readonly MessageInitShape<typeof CompanyDocumentSchema>[];
}

export interface OpenSearchUnderTest extends IndexUnderTest {
  readonly url: string;
  readonly client: Client;
  readonly prefix: string;
  readonly pool: Pool;
  readonly database: TestDatabase;
  /** Acts as another process with the same database and engine, possibly by another address. */
  another(options?: Partial<OpenSearchIndexOptions> & { readonly url?: string }): ObservationIndex;
  found(lexeme: string): Promise<bigint[]>;
  indices(): Promise<string[]>;
}

export async function openOpenSearchIndex(
  options: Partial<OpenSearchIndexOptions> & { readonly url?: string } = {},
  clock: Clock = options.clock ?? systemClock,
): Promise<OpenSearchUnderTest> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase('search'));
  const logger = createLogger('search', 'silent');
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'search test',
    pipeline: true,
    logger,
  });
  stack.defer(() => pool.end());
  const prefix = `ces-test-${randomBytes(6).toString('hex')}-`;
  const connect = (openSearchUrl: string) => {
    const client = connectOpenSearch({
      openSearchUser: '',
      openSearchPassword: '',
      openSearchCaFile: '',
      openSearchUrl,
      openSearchTimeoutMs: 20_000,
    });
    stack.defer(() => client.close());
    return client;
  };
  const client = connect(options.url ?? URL);
  const indices = async () => {
    const { body } = await client.indices.get({ index: `${prefix}*` });
    return Object.keys(body).toSorted();
  };
  stack.defer(async () => {
    for (const index of await indices()) await client.indices.delete({ index, ignore_unavailable: true });
  });
  const another: OpenSearchUnderTest['another'] = ({ url, ...others } = {}) =>
    createOpenSearchIndex({
      pool,
      client: url === undefined ? client : connect(url),
      clock,
      prefix,
      shards: 2,
      replicas: 0,
      placeCodes: vocabulary.placeCodes,
      logger,
      timeoutMs: 5_000,
      ...options,
      ...others,
    });
  return {
    ...indexUnderTest(another(), pool, { clock, ...(options.model !== undefined && { model: options.model }) }),
    url: options.url ?? URL,
    client,
    prefix,
    pool,
    database,
    another,
    indices,
    async found(lexeme) {
      const { body } = await client.search({
        index: `${prefix}observation`,
        size: 1_000,
        body: {
          query: {
            bool: { filter: [{ term: { text: { value: lexeme } } }, { term: { tombstone: { value: false } } }] },
          },
        },
      });
      return body.hits.hits.map(({ _id }) => BigInt(_id ?? '')).toSorted((a, b) => Number(a - b));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** `from` and `to` are transactions of the change list. */
export function batch(
  { observations = [], companies = [] }: Documents,
  from: bigint | undefined,
  to: bigint,
  feed: FeedRange['feed'] = 'live',
): IndexBatch {
  return {
    observations: observations.map((init) => create(ObservationDocumentSchema, init)),
    companies: companies.map((init) => create(CompanyDocumentSchema, init)),
    range: { feed, from: from === undefined ? undefined : positionAt(from), to: positionAt(to), complete: true },
  };
}

export function positionAt(tx: bigint): ChangePosition {
  return create(ChangePositionSchema, { tx, seq: 1n });
}
