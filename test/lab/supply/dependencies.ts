import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { imageWorkspaces } from '@ces/image/publish/dockerfile';
import { type Lock, nameOf, readLock } from './lock.ts';
import { type Dependency, listDependencies } from './noteworthy.ts';
import { askRegistry, RegistryError, type RegistryFigures } from './registry-figures.ts';

/** How many questions are open at the registry at once. */
const AT_ONCE = 4;

type Row = Dependency & RegistryFigures;

const { values } = parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } });

process.exitCode = await main();

/** A table of what the registry says of every direct dependency and every noteworthy indirect one; `--json FILE` writes it. */
async function main(): Promise<number> {
  const lock: Lock = await readLock();
  const all = listDependencies(lock, await imageWorkspaces());
  const wanted = all.filter(({ folder }) => values.only === undefined || nameOf(folder) === values.only);
  try {
    const rows = await askAll(wanted, new Date());
    process.stdout.write(`${table(rows)}\n${rows.length} of ${Object.keys(lock).length} packages of the lock\n`);
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function askAll(dependencies: readonly Dependency[], now: Date): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const waiting = [...dependencies];
  const ask = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      rows.push({ ...next, ...(await askRegistry(next.name, now)) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return rows.sort((one, other) => one.lastRelease.localeCompare(other.lastRelease));
}

function table(rows: readonly Row[]): string {
  const head = ['name', 'version', 'for', 'known since', 'last release', 'in a year', 'may publish', 'owner', 'notes'];
  const lines = rows.map((row) => [
    row.name,
    row.version,
    row.use,
    row.knownSince,
    row.latest === row.version ? row.lastRelease : `${row.lastRelease} (${row.latest})`,
    String(row.releasesInYear),
    row.maintainers === undefined ? 'not told' : String(row.maintainers),
    row.owner ?? 'not told',
    [...row.notes, ...(row.deprecated === undefined ? [] : ['deprecated'])].join(', '),
  ]);
  const widths = head.map((title, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0), title.length),
  );
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
