import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { MUTANTS } from './catalogue.ts';
import { mutate } from './mutate.ts';

const ROOT = new URL('../../../', import.meta.url);

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  '%s: still is a fault in one place',
  async (_, mutant) => {
    const { file, change, tests } = mutant;
    const source = await readFile(new URL(file, ROOT), 'utf8');
    expect(mutate(source, change)).not.toBe(source);
    for (const suite of tests) await access(new URL(suite, ROOT));
  },
);
