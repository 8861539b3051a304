import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { MUTANTS } from './catalogue.ts';

const ROOT = new URL('../../../', import.meta.url);

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  '%s: still is a fault of one line',
  async (_, mutant) => {
    const { file, find, tests } = mutant;
    expect((await readFile(new URL(file, ROOT), 'utf8')).split(find)).toHaveLength(2);
    for (const suite of tests) await access(new URL(suite, ROOT));
  },
);
