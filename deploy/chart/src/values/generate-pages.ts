import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram, run } from '../programs/programs.ts';

const SOURCES = ['.helmignore', '.schema.yaml', 'Chart.yaml', 'README.md.gotmpl', 'definitions.yaml', 'values.yaml'];
const PAGES = ['README.md', 'values.schema.json'] as const;

export async function generatePages(chart: string): Promise<void> {
  await run(await findProgram('helm-values-schema-json'), [], chart);
  const options = ['--sort-values-order', 'file', '--ignore-non-descriptions', '--log-level', 'warning'];
  await run(await findProgram('helm-docs'), options, chart);
}

/** Names of generated files that differ from what the comments give now; works in `folder`. */
export async function outdatedPages(chart: string, folder: string): Promise<string[]> {
  for (const file of SOURCES) await copyFile(path.join(chart, file), path.join(folder, file));
  await generatePages(folder);
  const outdated: string[] = [];
  for (const page of PAGES) {
    const [committed, generated] = [chart, folder].map((place) => readFile(path.join(place, page), 'utf8'));
    if ((await committed) !== (await generated)) outdated.push(`${page} is not what npm run chart:generate writes`);
  }
  return outdated;
}
