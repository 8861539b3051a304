import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '../refusal.ts';

export interface ImportFiles {
  readonly folderName: string;
  readonly companies: readonly string[];
  readonly observations: readonly string[];
}

const COMPANIES = /^companies(?:[.-][^/]*)?\.jsonl(?:\.gz)?$/;
const OBSERVATIONS = /^observations(?:[.-][^/]*)?\.jsonl(?:\.gz)?$/;

/** Throws a Refusal that says what is missing. */
export async function findImportFiles(inputs: readonly string[]): Promise<ImportFiles> {
  const files = (await Promise.all(inputs.map(filesOf))).flat();
  const companies = files.filter((file) => COMPANIES.test(path.basename(file)));
  const observations = files.filter((file) => OBSERVATIONS.test(path.basename(file)));
  const strange = files.find((file) => !companies.includes(file) && !observations.includes(file));
  if (strange)
    throw new Refusal(`${strange} is neither companies*.jsonl nor observations*.jsonl (or .jsonl.gz): rename it.`);
  const [first] = files;
  if (first === undefined)
    throw new Refusal(`${inputs.join(', ')} contains no companies.jsonl or observations.jsonl (or .jsonl.gz).`);
  return { folderName: path.basename(path.dirname(path.resolve(first))), companies, observations };
}

async function filesOf(input: string): Promise<string[]> {
  const found = await stat(input).catch(() => undefined);
  if (!found) throw new Refusal(`${input} does not exist: pass a folder or files of JSON lines.`);
  if (!found.isDirectory()) return [input];
  const names = (await readdir(input)).sort().filter((name) => COMPANIES.test(name) || OBSERVATIONS.test(name));
  const twice = names.find((name) => names.includes(`${name}.gz`));
  if (twice) throw new Refusal(`${input} contains both ${twice} and ${twice}.gz: remove one of them.`);
  return names.map((name) => path.join(input, name));
}
