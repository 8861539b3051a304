import { parseArgs } from 'node:util';
import type { ServiceName } from '@ces/topology/services';
import { BACKED_UP } from '../backup/files.ts';

/** Reads `DIRECTORY [--only ledger,operations]`; all services without `--only`. */
export function parseBackupArguments(command: 'backup' | 'restore'): {
  readonly directory: string;
  readonly services: readonly ServiceName[];
} {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
  const [directory] = positionals;
  if (!directory || positionals.length > 1)
    throw new Error(`usage: npm run ${command} -- DIRECTORY [--only ${BACKED_UP.join(',')}]`);
  return { directory, services: servicesOf(values.only) };
}

function servicesOf(only: string | undefined): readonly ServiceName[] {
  if (only === undefined) return BACKED_UP;
  const names = only.split(',');
  const unknown = names.find((name) => !BACKED_UP.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`--only accepts ${BACKED_UP.join(', ')}, not ${unknown}.`);
  return BACKED_UP.filter((name) => names.includes(name));
}
