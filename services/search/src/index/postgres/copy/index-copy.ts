import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { CompanyTable } from './company-table.ts';
import { type IndexVersion, readChangedAfter, readIndexVersion } from './index-version.ts';
import { ObservationTable } from './observation-table.ts';
import {
  type ReadCompany,
  type ReadObservation,
  readCompanies,
  readCompaniesAfter,
  readObservations,
  readObservationsAfter,
} from './read-documents.ts';
import { SegmentBuilder } from './segment.ts';
import { SEGMENT_DOCUMENTS, Texts } from './texts.ts';

/** The index as it was at one version. */
export interface CopiedIndex {
  readonly observations: ObservationTable;
  readonly observationTexts: Texts;
  readonly companies: CompanyTable;
  readonly companyTexts: Texts;
  readonly origin: string;
  version: bigint;
  position: ChangePosition | undefined;
}

/** A copy of the index in the memory of this process (decision 0137). */
export interface IndexCopy {
  /**
   * The copy, at least as new as a version; undefined while there is none, or none so new soon, or where it would take more
   * memory than it may. Whoever gets it must not wait for anything while using it.
   */
  reach(wanted: Pick<IndexVersion, 'version' | 'origin'>): Promise<CopiedIndex | undefined>;
}

const PAGE = 1_000;
/** How long a search waits for the copy to catch up, in milliseconds; then it asks the database, and the copy goes on. */
const WAIT_MS = 250;
/** Share of dead documents from which all are read anew, and how many there may be anyway. */
const DEAD_SHARE = 0.25;
const FEW_DEAD = 10_000;
/** Documents that a copy lacks at most; one that lacks more is read anew. */
const MOST_CHANGED = 50_000;
/** How long after a copy was too large, or could not be made, another is tried, in milliseconds. */
const TOO_LARGE_MS = 600_000;
const FAILED_MS = 10_000;
/** An observation takes so much and so much a word, in bytes, about. */
const EXPECTED_BYTES = 150;
const EXPECTED_WORD_BYTES = 4;

/** Work in the background, and when searches no longer wait for it. */
interface Work {
  readonly done: Promise<void>;
  readonly late: Promise<void>;
}

/** `mostBytes` bounds what is kept, about; while all is read anew there are two. */
export function createIndexCopy(pool: Pool, mostBytes: number, clock: Clock): IndexCopy {
  let copy: CopiedIndex | undefined;
  let loading: Work | undefined;
  let catchingUp: Work | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  const load = async () => {
    copy = await loadIndex(pool, mostBytes);
    notBefore = copy ? Number.NEGATIVE_INFINITY : clock.now().getTime() + TOO_LARGE_MS;
  };
  const startLoading = () => {
    const now = clock.now().getTime();
    if (loading || now < notBefore) return;
    notBefore = now + FAILED_MS;
    loading = inBackground(load, () => {
      loading = undefined;
    });
  };
  const catchUp = async (behind: CopiedIndex) => {
    const isComplete = await applyChanges(pool, behind);
    if (behind === copy && (!isComplete || bytesOf(behind) > mostBytes)) copy = undefined;
    if (isMostlyDead(behind)) startLoading();
  };
  return {
    async reach({ version, origin }) {
      if (copy && copy.origin !== origin) copy = undefined;
      // One that runs may have begun before the version was written.
      for (let turn = 0; turn < 3 && (!copy || copy.version < version); turn += 1) {
        if (!copy) startLoading();
        else
          catchingUp ??= inBackground(catchUp.bind(undefined, copy), () => {
            catchingUp = undefined;
          });
        const work = copy ? catchingUp : loading;
        if (!work) return undefined;
        await Promise.race([work.done, work.late]);
      }
      return copy && copy.version >= version && copy.origin === origin ? copy : undefined;
    },
  };
}

/** A failure leaves the copy as it was, and the database answers meanwhile. */
function inBackground(run: () => Promise<void>, onEnd: () => void): Work {
  const ended = new AbortController();
  const late = pause(WAIT_MS, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
  const done = run()
    .catch(() => undefined)
    .finally(() => {
      onEnd();
      ended.abort();
    });
  return { done, late };
}

function bytesOf({ observations, observationTexts, companies, companyTexts }: CopiedIndex): number {
  return observations.bytes + observationTexts.bytes + companies.bytes + companyTexts.bytes;
}

function isMostlyDead({ observations, companies }: CopiedIndex): boolean {
  const dead = observations.dead + companies.dead;
  return dead > FEW_DEAD && dead > (observations.size + companies.size) * DEAD_SHARE;
}

/** Reads all of the index at one moment; undefined when it is too large. */
async function loadIndex(pool: Pool, mostBytes: number): Promise<CopiedIndex | undefined> {
  return await inTransaction(pool, async (client) => {
    const { version, origin, position } = await beginReading(client);
    if ((await expectedBytes(client)) > mostBytes * 2) return undefined;
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
    const companies = (after: number) => readCompaniesAfter(client, after, PAGE);
    const observations = (after: number) => readObservationsAfter(client, after, PAGE);
    const isWhole =
      (await loadPages(companies, copy.companies, copy.companyTexts, isSmall)) &&
      (await loadPages(observations, copy.observations, copy.observationTexts, isSmall));
    return isWhole ? copy : undefined;
  });
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

async function loadPages<D extends ReadCompany | ReadObservation>(
  read: (after: number) => Promise<D[]>,
  table: { add(document: NoInfer<D>): number },
  texts: Texts,
  isSmall: () => boolean,
): Promise<boolean> {
  let builder = new SegmentBuilder();
  for (let after = 0; isSmall(); ) {
    const page = await read(after);
    for (const document of page) builder.add(table.add(document), document.text);
    const last = page.at(-1);
    if (!last || builder.size >= SEGMENT_DOCUMENTS) {
      texts.append(builder.build());
      builder = new SegmentBuilder();
    }
    if (!last) return isSmall();
    after = last.id;
  }
  return false;
}

/** Brings a copy to the version of now, at once; false when what it lacks is not known any more. */
async function applyChanges(pool: Pool, copy: CopiedIndex): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    const { version, origin, position } = await beginReading(client);
    if (origin !== copy.origin) return false;
    const changed = await readChangedAfter(client, copy.version, version);
    if (!changed || changed.observations.length + changed.companies.length > MOST_CHANGED) return false;
    const observations = await inPages(changed.observations, (ids) => readObservations(client, ids));
    const companies = await inPages(changed.companies, (ids) => readCompanies(client, ids));
    replace(copy.observations, copy.observationTexts, changed.observations, observations);
    replace(copy.companies, copy.companyTexts, changed.companies, companies);
    copy.version = version;
    copy.position = position;
    return true;
  });
}

function replace<D extends ReadObservation | ReadCompany>(
  table: { add(document: NoInfer<D>): number; remove(id: number): void },
  texts: Texts,
  changed: readonly string[],
  documents: readonly D[],
): void {
  for (const id of changed) table.remove(Number(id));
  if (documents.length === 0) return;
  const builder = new SegmentBuilder();
  for (const document of documents) builder.add(table.add(document), document.text);
  texts.append(builder.build());
}

async function inPages<D>(ids: readonly string[], read: (ids: readonly string[]) => Promise<D[]>): Promise<D[]> {
  const found: D[] = [];
  for (let at = 0; at < ids.length; at += PAGE) found.push(...(await read(ids.slice(at, at + PAGE))));
  return found;
}

/** What is read in this transaction is of one moment. */
async function beginReading(client: Queryable) {
  await client.query('set transaction isolation level repeatable read, read only');
  return await readIndexVersion(client);
}
