import { type Fields, type FileId, fileIdAt, objectAt, parseLine, textAt } from '@ces/cli/import/fields';
import { openLines } from '@ces/cli/import/lines';
import { Refusal } from '@ces/cli/refusal';
import type { Judgment, ObservationFacts } from './score.ts';

export async function readJudgments(file: string): Promise<Judgment[]> {
  const judgments: Judgment[] = [];
  await eachLine(file, (fields) => {
    const pool = objectAt(fields, 'pool');
    judgments.push({
      queryId: textAt(fields, 'query_id'),
      query: textAt(fields, 'query'),
      family: textAt(fields, 'family'),
      filters: fields.values.filters === undefined ? {} : objectAt(fields, 'filters').values,
      pool: { source: textAt(pool, 'source'), kind: textAt(pool, 'kind') },
      relevantCompanies: new Set(idsAt(fields, 'relevant_company_ids')),
      relevantObservations: new Set(idsAt(fields, 'relevant_observation_ids')),
    });
  });
  if (judgments.length === 0) throw new Refusal(`${file} holds no judged queries: name another with --judgments.`);
  return judgments;
}

export async function readFacts(files: readonly string[]): Promise<Map<FileId, ObservationFacts>> {
  const facts = new Map<FileId, ObservationFacts>();
  for (const file of files)
    await eachLine(file, (fields) => {
      const { source } = (fields.values.meta ?? {}) as { source?: string };
      facts.set(fileIdAt(fields, 'id'), { source: source ?? '', kind: textAt(fields, 'kind') });
    });
  return facts;
}

async function eachLine(file: string, read: (fields: Fields) => void): Promise<void> {
  const { lines } = await openLines(file);
  for await (const { number, bytes } of lines) {
    try {
      read(parseLine(bytes));
    } catch (error) {
      throw new Refusal(`${file} line ${number} cannot be read: ${(error as Error).message}.`);
    }
  }
}

function idsAt(fields: Fields, name: string): FileId[] {
  const list = fields.values[name];
  const entries = Object.fromEntries(Array.isArray(list) ? list.entries() : []);
  return Object.keys(entries).map((index) => fileIdAt({ values: entries, path: name }, index));
}
