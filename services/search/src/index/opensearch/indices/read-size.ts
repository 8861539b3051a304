import type { IndexSize } from '../../observation-index.ts';
import type { Indices } from './generations.ts';
import { type Corpus, readAlias } from './names.ts';

const NOT_GONE = { query: { term: { tombstone: { value: false } } } };

export async function readSize(indices: Indices): Promise<IndexSize> {
  const [observations, companies, bytes] = await Promise.all([
    count(indices, 'observation'),
    count(indices, 'company'),
    bytesOf(indices),
  ]);
  return { observations, companies, bytes };
}

async function count({ client, prefix }: Indices, corpus: Corpus): Promise<bigint> {
  const { body } = await client.count({
    index: readAlias(prefix, corpus),
    ignore_unavailable: true,
    body: NOT_GONE,
  });
  return BigInt(body.count);
}

async function bytesOf({ client, prefix }: Indices): Promise<bigint> {
  const index = [readAlias(prefix, 'observation'), readAlias(prefix, 'company')];
  const { body, statusCode } = await client.indices.stats({ index, metric: 'store' }, { ignore: [404] });
  return statusCode === 404 ? 0n : BigInt(body._all?.total?.store?.size_in_bytes ?? 0);
}
