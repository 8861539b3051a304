import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { countryName, kindName } from '@ces/proto/catalog';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { BlindQuery } from './blind.ts';
import type { Corpus } from './corpus.ts';

/**
 * Writes one page of observations to judge for each query. Their order does not reveal the rankings
 * that found them.
 */
export async function writePool(
  folder: string,
  pool: ReadonlyMap<BlindQuery, ReadonlySet<bigint>>,
  corpus: Corpus,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = new Map(corpus.companies.map(({ id, name }) => [id, name]));
  for (const [query, ids] of pool) {
    if (ids.size === 0) continue;
    const shown = [...ids]
      .toSorted((a, b) => Number(a - b))
      .map((id) => {
        const document = corpus.byId.get(id);
        if (!document) throw new Error(`a ranking shows observation ${id}, which the corpus does not hold`);
        return shownText(document, names.get(document.companyId) ?? '');
      });
    const { query_id, need, filters, kind } = query;
    const head = `# ${query_id}\nquery: ${query.query}\nkind: ${kind}, filters: ${JSON.stringify(filters)}\nneed: ${need}\n`;
    await writeFile(path.join(folder, `${query_id}.md`), `${head}\n${shown.join('\n')}\n`);
  }
  const open = [...pool.values()].reduce((sum, ids) => sum + ids.size, 0);
  console.log(`${open} observations to judge in ${folder}`);
}

function shownText(document: ObservationDocument, name: string): string {
  const day = document.occurredAt
    ? new Date(Number(document.occurredAt.seconds) * 1000).toISOString().slice(0, 10)
    : 'undated';
  const facts = `${countryName(document.country)}, ${kindName(document.kind)}, ${day}`;
  const text = [document.observedFact, ...document.excerpts].join(' || ').replaceAll(/\s+/g, ' ');
  return `[${document.id}] ${name} (${facts}): ${text}`;
}
