import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { CHART, render } from './render.ts';

interface Renamed {
  readonly program: Readonly<Record<string, string>>;
  readonly database: Readonly<Record<string, string>>;
  readonly chart: Readonly<Record<string, string>>;
}

/** A render names the new name; the schema must let old names through to that sentence. */
export async function renamedFaults(kubernetes: string): Promise<string[]> {
  const { program, database, chart }: Renamed = parse(await readFile(path.join(CHART, 'files/renamed.yaml'), 'utf8'));
  const names = [
    ...Object.keys(program).map((name) => `components.ledger.${name}`),
    ...Object.keys(database).map((name) => `postgres.cloudnativepg.services.ledger.${name}`),
    ...Object.keys(chart),
  ];
  const settings = names.flatMap((name) => ['--set', `${name}=1`]);
  const refusal = await render('minimal.yaml', kubernetes, ...settings).then(
    () => '',
    (error: Error) => error.message,
  );
  return names
    .filter((name) => !refusal.includes(` ${name}: `))
    .map((name) => `${name} is not refused by its new name: ${refusal.slice(0, 200)}`);
}
