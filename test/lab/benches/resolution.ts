import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { factsOf, type NamedFacts } from '@ces/lookup/resolution/company-facts';
import { CompanyGroups } from '@ces/lookup/resolution/company-groups';
import { loadResolutionVocabulary } from '@ces/lookup/resolution/vocabulary';
import { figuresOf, judgePairs, PAIR_FILES } from '@ces/lookup/test-support/judge-pairs';
import type { CountryName } from '@ces/proto/catalog';
import { readEntityPairs } from './resolution/entity-pairs.ts';
import { type Filer, judgeEntityPairs } from './resolution/judge-entity-pairs.ts';

// The precision of each rule on judged pairs and on companies known by the numbers of several registers, and what the rules merge
// of real companies: those of a data set by name and website, and the SEC's list of companies by CIK and name: npm run lab -- resolution [DATA_FOLDER] [--sample N] [--rule name] [--seed N]
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, rule: { type: 'string' }, seed: { type: 'string' } },
});
for (const file of PAIR_FILES) for (const { line } of figuresOf(file, judgePairs(file))) console.log(line);
const data = positionals[0] ?? path.resolve(import.meta.dirname, '../../../../shared/data');
if (!existsSync(data)) {
  console.log(`skipped: there is no ${data}`);
  process.exit(0);
}

interface Company extends NamedFacts {
  readonly origin: string;
}

const seed = Number(options.seed ?? 1);
const vocabulary = loadResolutionVocabulary();
const tickers = await readTickers();
const companies = [...(await readCorpus()), ...tickers.map(toCompany)];
const groups = new CompanyGroups(vocabulary, [], []);
const began = performance.now();
for (const [index, company] of companies.entries()) groups.add(BigInt(index + 1), factsOf(vocabulary, company));
const seconds = (performance.now() - began) / 1000;

for (const line of judgeEntityPairs(await readEntityPairs(data), tickers)) console.log(line);

const byRule = Map.groupBy(groups.merges, (merge) => merge.rule);
console.log(`${companies.length} companies in ${seconds.toFixed(1)} s, seed ${seed}`);
for (const [rule, merges] of byRule) console.log(`${rule}: ${merges.length} merges`);
const shown = groups.merges.filter((merge) => !options.rule || merge.rule === options.rule);
for (const { rule, companyId, intoId } of sample(shown, Number(options.sample ?? 50)))
  console.log(`${rule}\t${describe(intoId)}\t${describe(companyId)}`);

function describe(id: bigint): string {
  const company = companies[Number(id) - 1];
  if (!company) throw new Error(`no company ${id}`);
  const numbers = company.identifiers.map(({ scheme, value }) => `${scheme}:${value}`);
  return [company.origin, company.country, company.name, ...numbers, ...company.hostnames].join(' | ');
}

async function readCorpus(): Promise<Company[]> {
  const lines = createInterface({
    input: createReadStream(path.join(data, 'corpus/companies.jsonl.gz')).pipe(createGunzip()),
  });
  const read: Company[] = [];
  for await (const line of lines) {
    const { name, country, domains, meta } = JSON.parse(line) as CorpusLine;
    const hostnames = domains.map((domain) => domain.hostname.replace(/^www\./, ''));
    read.push({ origin: meta.sources.join('+'), name, country, hostnames, identifiers: [] });
  }
  return read;
}

async function readTickers(): Promise<Filer[]> {
  const text = await readFile(path.join(data, 'raw/sec_edgar/company_tickers.json'), 'utf8');
  const rows = Object.values(JSON.parse(text) as Record<string, { cik_str: number; title: string }>);
  const distinct = new Map(rows.map((row) => [row.cik_str, row.title]));
  return [...distinct].map(([cik, name]) => ({ cik: String(cik), name }));
}

function toCompany({ cik, name }: Filer): Company {
  return { origin: 'sec', name, country: 'US', hostnames: [], identifiers: [{ scheme: 'cik', value: cik }] };
}

interface CorpusLine {
  readonly name: string;
  readonly country: CountryName;
  readonly domains: readonly { readonly hostname: string }[];
  readonly meta: { readonly sources: readonly string[] };
}

/** So many of them in a fixed order that the seed decides. */
function sample<T>(rows: readonly T[], count: number): T[] {
  const keyed = rows.map((row, index) => ({ row, key: Math.imul((index + 1) ^ seed, 2_654_435_761) >>> 0 }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ row }) => row);
}
