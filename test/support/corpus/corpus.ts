import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/data/corpus');

/** The reason to skip the tests. Undefined if the real data exists next to the repository. */
export const MISSING = existsSync(FOLDER)
  ? undefined
  : `The tests on the real corpus are skipped: ${path.relative(process.cwd(), FOLDER)} is not there.`;

/** Takes one of every STEP companies, with all its observations. 1 takes the whole corpus. */
const STEP = Number(process.env.CES_TEST_CORPUS_STEP ?? 12);
/**
 * Adds up to this many relevant companies of each judged query, so that the query finds them as in
 * the whole corpus.
 */
const RELEVANT = 10;

interface CompanyLine {
  readonly id: number;
  readonly domains: readonly { readonly hostname: string }[];
}

interface ObservationLine {
  readonly company: { readonly id: number };
  readonly observed_fact: string;
}

interface JudgedQuery {
  readonly query: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly relevant_company_ids: readonly number[];
}

export interface Corpus extends AsyncDisposable {
  readonly folder: string;
  readonly companies: number;
  readonly observations: number;
  readonly facts: readonly string[];
  readonly hostnames: ReadonlyMap<string, readonly string[]>;
  readonly judged: readonly JudgedQuery[];
}

/**
 * Takes the same part on each run, because the import is the most expensive step. Takes whole
 * companies, so that filters and answers work as in the whole corpus.
 */
export async function openCorpus(): Promise<Corpus> {
  const judged = linesOf(await readFile(path.join(FOLDER, 'judgments.jsonl'), 'utf8')).map(
    (text): JudgedQuery => JSON.parse(text),
  );
  const relevant = new Set(judged.flatMap((query) => query.relevant_company_ids.slice(0, RELEVANT)));
  const isTaken = (id: number) => relevant.has(id) || scattered(id) % STEP === 0;
  const companies = await linesWhere<CompanyLine>('companies.jsonl.gz', ({ id }) => isTaken(id));
  const observations = await linesWhere<ObservationLine>('observations.jsonl.gz', ({ company }) => isTaken(company.id));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-corpus-'));
  await writeFile(path.join(folder, 'companies.jsonl'), companies.map(({ text }) => `${text}\n`).join(''));
  await writeFile(path.join(folder, 'observations.jsonl'), observations.map(({ text }) => `${text}\n`).join(''));
  return {
    folder,
    companies: companies.length,
    observations: observations.length,
    facts: observations.map(({ line }) => line.observed_fact),
    hostnames: new Map(companies.map(({ line }) => [String(line.id), line.domains.map(({ hostname }) => hostname)])),
    judged,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function linesWhere<T>(file: string, isWanted: (line: T) => boolean) {
  const unzipped = await promisify(gunzip)(await readFile(path.join(FOLDER, file)));
  return linesOf(unzipped.toString())
    .map((text) => ({ text, line: JSON.parse(text) as T }))
    .filter(({ line }) => isWanted(line));
}

/** Hashes the id, because neighbouring ids come from the same source. */
function scattered(companyId: number): number {
  return Math.imul(companyId, 2_654_435_761) >>> 8;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
