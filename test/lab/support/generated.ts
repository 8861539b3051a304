import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mulberry32 } from '../../support/random.ts';

const SYLLABLES = 'ka lo mi ren to sa vel dor an pi gra tin ber sol fen mar qui zo hal ner'.split(' ');
const KINDS = ['procurement_request', 'facility_expansion', 'job_posting', 'partnership', 'product_launch'];
const VOCABULARY = 20_000;
const EXCERPT_WORDS = 80;
const OBSERVATIONS_PER_LINE_BATCH = 1_000;
export const STANDARD_SEED = 20_260_101;

/** Writes a synthetic data set in the format of `ces import`. Equal numbers give equal files. */
export async function writeGeneratedSet(
  folder: string,
  companies: number,
  observations: number,
  seed = STANDARD_SEED,
): Promise<void> {
  const random = mulberry32(seed);
  const vocabulary = Array.from({ length: VOCABULARY }, () => wordFrom(random));
  /** Low ranks are the most frequent words, as in natural language. */
  const word = () => vocabulary[Math.floor(VOCABULARY * random() ** 3)] ?? '';
  const words = (count: number) => Array.from({ length: count }, word).join(' ');

  const companyLines = Array.from({ length: companies }, (_, index) => companyLine(index + 1, words(2)));
  await writeFile(path.join(folder, 'companies.jsonl'), companyLines.join(''));
  const file = path.join(folder, 'observations.jsonl');
  for (let id = 1; id <= observations; ) {
    const lines: string[] = [];
    for (; lines.length < OBSERVATIONS_PER_LINE_BATCH && id <= observations; id += 1)
      lines.push(observationLine(id, 1 + Math.floor(random() * companies), words(12), words(EXCERPT_WORDS), random()));
    await writeFile(file, lines.join(''), { flag: 'a' });
  }
}

function companyLine(id: number, name: string): string {
  const domains = [{ id, hostname: `c${id}.bench.example` }];
  return `${JSON.stringify({ id, name: `${name} ${id}`, country: id % 5 === 0 ? 'CA' : 'US', domains })}\n`;
}

function observationLine(id: number, company: number, fact: string, excerpt: string, chance: number): string {
  const occurredAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(chance * 300) * 86_400_000).toISOString();
  const observation = {
    id,
    company: { id: company },
    kind: KINDS[id % KINDS.length],
    observed_fact: fact,
    why_it_may_matter: 'A made-up event for measurements.',
    country: id % 5 === 0 ? 'CA' : 'US',
    confidence: 0.8,
    occurred_at: occurredAt,
    observed_at: occurredAt,
    expires_at: null,
    evidence: [{ source_uri: `https://c${company}.bench.example/${id}`, excerpt, observed_at: occurredAt }],
    meta: { source: 'generated' },
  };
  return `${JSON.stringify(observation)}\n`;
}

function wordFrom(random: () => number): string {
  const length = 2 + Math.floor(random() * 3);
  return Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
}
