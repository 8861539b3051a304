import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const README = path.join(REPOSITORY, 'gateway/client/README.md');

/**
 * Writes each README example to `folder` as TypeScript and as JavaScript, and returns the names.
 * Every example is valid JavaScript too.
 */
export async function writeExamples(folder: string): Promise<readonly string[]> {
  const [setUp = '', ...others] = exampleBlocks(await readFile(README, 'utf8'));
  // The first example constructs the client that all others use.
  const [imports = '', construction = ''] = setUp.split('\n\n');
  const programs = [setUp, ...others.map((code) => [imports, construction, code].join('\n\n'))];
  const names = programs.map((_, index) => `example-${index + 1}`);
  for (const [index, code] of programs.entries()) {
    await writeFile(path.join(folder, `${names[index]}.ts`), code);
    await writeFile(path.join(folder, `${names[index]}.mjs`), code);
  }
  return names;
}

function exampleBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}
