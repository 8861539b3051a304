import type { Queryable } from '@ces/chassis/postgres/pool';
import type { CompanyDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { AnalysedText } from '../../../text/analyse.ts';
import { optionalInstantText } from '../../instants.ts';
import type { IndexingPass } from './apply-observations.ts';

export interface CompanyRow {
  readonly document: CompanyDocument;
  readonly text: AnalysedText;
  readonly nameWords: string;
}

/** Writes rows newer than the index. Ids must be distinct. */
export async function applyCompanies(db: Queryable, rows: readonly CompanyRow[], pass: IndexingPass): Promise<void> {
  if (rows.length === 0) return;
  const column = <T>(value: (row: CompanyRow) => T) => rows.map(value);
  const { rows: written } = await db.query<{ company_id: bigint }>(
    `insert into company_doc (company_id, version, tombstone, generation, survivor_id, country, length, text, words,
                              name_words)
     select id, version, tombstone, $9, survivor_id, country, length, to_tsvector('english', searchable), words, name_words
       from unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::bigint[], $5::smallint[], $6::integer[], $7::text[],
                   $8::text[], $11::text[])
         as incoming (id, version, tombstone, survivor_id, country, length, searchable, words, name_words)
     on conflict (company_id) do update
        set version = excluded.version, tombstone = excluded.tombstone, generation = excluded.generation,
            survivor_id = excluded.survivor_id, country = excluded.country, length = excluded.length,
            text = excluded.text, words = excluded.words, name_words = excluded.name_words
      where company_doc.version < excluded.version or ($10 and company_doc.generation < excluded.generation)
     returning company_id`,
    [
      column((row) => row.document.id),
      column((row) => row.document.version),
      column((row) => row.document.tombstone),
      column((row) => row.document.survivorId || row.document.id),
      column((row) => row.document.country),
      column((row) => row.text.length),
      column((row) => row.text.searchable),
      column((row) => row.text.words),
      pass.generation,
      pass.rewrite,
      column((row) => row.nameWords),
    ],
  );
  const ids = new Set(written.map((row) => row.company_id));
  await replaceDomains(
    db,
    rows.filter((row) => ids.has(row.document.id)),
  );
}

async function replaceDomains(db: Queryable, rows: readonly CompanyRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query('delete from company_domain where company_id = any($1::bigint[])', [
    rows.map((row) => row.document.id),
  ]);
  const domains = rows.flatMap(({ document }) =>
    document.tombstone ? [] : document.domains.map((domain) => ({ ...domain, companyId: document.id })),
  );
  if (domains.length === 0) return;
  await db.query(
    `insert into company_domain (hostname, company_id, supported_until)
     select hostname, company_id, coalesce(supported_until, 'infinity')
       from unnest($1::text[], $2::bigint[], $3::timestamptz[]) as incoming (hostname, company_id, supported_until)
     on conflict do nothing`,
    [
      domains.map((domain) => domain.hostname),
      domains.map((domain) => domain.companyId),
      domains.map((domain) => optionalInstantText(domain.supportedUntil)),
    ],
  );
}
