import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import { applyChanges } from './apply-changes.ts';
import { CompanyTable } from './company-table.ts';
import { bytesOf, replaceDocuments, SegmentsAhead } from './copied-documents.ts';
import type { CopiedIndex } from './copied-index.ts';
import { readIndexVersion } from './index-version.ts';
import { ObservationTable } from './observation-table.ts';
import { type ReadCompany, type ReadObservation, readCompaniesAfter, readObservationsAfter } from './read-documents.ts';
import { Texts } from './texts.ts';

const PAGE = 1_000;
/** An observation takes so much and so much a word, in bytes, about. */
const EXPECTED_BYTES = 150;
const EXPECTED_WORD_BYTES = 4;

/** What became of a reading: `moved` where more was written meanwhile than is noted. */
export type Loaded = CopiedIndex | 'too large' | 'moved';

/**
 * Reads all of the index, each page in a statement of its own so that no moment of the database is held, and then what was
 * written meanwhile, so that the copy is of one moment.
 */
export async function loadIndex(pool: Pool, mostBytes: number): Promise<Loaded> {
  const { version, origin, position } = await readIndexVersion(pool);
  if ((await expectedBytes(pool)) > mostBytes * 2) return 'too large';
  const copy: CopiedIndex = {
    observations: new ObservationTable(),
    observationTexts: new Texts(),
    companies: new CompanyTable(),
    companyTexts: new Texts(),
    origin,
    version,
    position,
  };
  const isSmall = () => bytesOf(copy) <= mostBytes;
  const companies = (after: number) => readCompaniesAfter(pool, after, PAGE);
  const observations = (after: number) => readObservationsAfter(pool, after, PAGE);
  const isWhole =
    (await loadPages<ReadCompany>(companies, copy.companies, copy.companyTexts, isSmall)) &&
    (await loadPages<ReadObservation>(observations, copy.observations, copy.observationTexts, isSmall));
  if (!isWhole) return 'too large';
  return (await applyChanges(pool, copy)) === undefined ? 'moved' : copy;
}

/** By the last count of words, so that what is far too large is not read to find that out. */
async function expectedBytes(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ documents: bigint; mean_length: number }>(
    `select documents, mean_length from corpus where name = 'entry'`,
  );
  return rows.reduce(
    (sum, { documents, mean_length }) => sum + Number(documents) * (EXPECTED_BYTES + EXPECTED_WORD_BYTES * mean_length),
    0,
  );
}

/** Pages are gathered to segments; false when it becomes too large. */
async function loadPages<D extends ReadCompany | ReadObservation>(
  read: (after: number) => Promise<D[]>,
  table: { add(document: D): number; remove(id: number): void; readonly size: number },
  texts: Texts,
  isSmall: () => boolean,
): Promise<boolean> {
  for (let after = 0; isSmall(); ) {
    const ahead = new SegmentsAhead<D>(table.size);
    let last: D | undefined;
    for (let pages = 0; pages < 5; pages += 1) {
      const page = await read(after);
      await ahead.add(page);
      last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
    replaceDocuments<D>(table, texts, [], ahead);
    if (!last) return isSmall();
  }
  return false;
}
