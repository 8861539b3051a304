import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CLIENT, type Environment } from './pythons.ts';

const LEAST_EXAMPLES = 6;
/** Imports of Python, imports of the client, construction: what later examples use. */
const PARAGRAPHS_BEFORE = 3;

/** Runs every example of the README as a program, and checks its types. Throws if one fails. */
export async function checkExamples(
  installed: Environment,
  tools: Environment,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const programs = programsOf(await readFile(path.join(CLIENT, 'README.md'), 'utf8'));
  if (programs.length < LEAST_EXAMPLES) throw new Error(`the README has only ${programs.length} examples`);
  await mkdir(folder, { recursive: true });
  for (const [at, code] of programs.entries()) {
    const file = path.join(folder, `example_${at + 1}.py`);
    await writeFile(file, code);
    const { stdout } = await installed.run('python', [file], { env });
    if (stdout === '') throw new Error(`example ${at + 1} prints nothing`);
    await tools.run('mypy', ['--check-untyped-defs', '--cache-dir', path.join(folder, 'mypy'), file]);
  }
  return `${programs.length} examples`;
}

function programsOf(readme: string): readonly string[] {
  const [setUp = '', ...others] = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const before = setUp.split('\n\n').slice(0, PARAGRAPHS_BEFORE);
  return [setUp, ...others.map((code) => [...before, code].join('\n\n'))];
}
