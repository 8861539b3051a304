// @module-tag nightly
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CesClient } from '@ces/client';
import { REPOSITORY } from '@ces/topology/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Publishers, startPublishers } from '../support/publishers/publishers.ts';

// `npm start -- --live --detach` against servers that publish what the sources published.

interface Started {
  readonly runs: readonly { readonly source: string; readonly state: string; readonly created: number }[];
  readonly fresh: readonly string[];
  readonly lacking: readonly { readonly name: string; readonly settings: readonly string[] }[];
  readonly searchable: { readonly observations: number; readonly companies: number };
}

const execute = promisify(execFile);

let folder: string;
let data: string;
let publishers: Publishers;
let shown: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-live-'));
  await chmod(folder, 0o711);
  data = path.join(folder, 'data');
  await mkdir(data);
  publishers = await startPublishers(folder, {
    'api.fda.gov': 'slow',
    'data-donnees.az.ec.gc.ca': 'broken',
    'api.www.sbir.gov': 'rate_limited',
  });
  const { stdout, stderr } = await node('deploy/local/src/commands/start.ts', '--live', '--detach', '--port', '0');
  shown = stdout + stderr;
});
afterAll(async () => {
  await node('deploy/local/src/commands/stop.ts');
  await publishers[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function node(program: string, ...parameters: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, CES_DATA_DIR: data, ...publishers.env };
  return await execute(process.execPath, [path.join(REPOSITORY, program), ...parameters], { cwd: REPOSITORY, env });
}

async function startSources(): Promise<Started> {
  const { stdout } = await node('deploy/cli/src/main.ts', 'source', 'start', '--json');
  return JSON.parse(stdout) as Started;
}

test('the start returns when something can be searched, and shows what it read and what it skipped', () => {
  expect(shown).toMatch(/^canadabuys: [\d,]+ records, [\d,]+ companies, \w+$/m);
  expect(shown).toMatch(/[1-9][\d,]* observations of [1-9][\d,]* companies can be searched, the first after \d+ s\./);
  expect(shown).toContain('Not read without a contact address: sec_8k, sec_form_d, sec_profiles.');
  expect(shown).toContain('Not asked without a key: sam_api (api_key), sam_entity (api_key, ueis).');
  expect(shown).not.toContain('fictional');
});

test('every source that needs nothing is read, through slow and rate-limited answers, and a broken one is said', async () => {
  const { runs, fresh, lacking, searchable } = await startSources();
  const states = new Map(runs.map(({ source, state }) => [source, state]));
  expect(states.get('eccc_ghgrp')).toBe('failed');
  const whole = ['canadabuys', 'canadabuys_awards', 'openfda_510k', 'openfda_pma', 'sbir_awards', 'sbir_solicitations'];
  for (const source of whole) expect(fresh.includes(source) || states.get(source) === 'done', source).toBe(true);
  expect(publishers.answers).toContain('429 api.www.sbir.gov/public/api/solicitations');
  expect(lacking.map(({ name }) => name)).toContain('sec_8k');
  expect(searchable.companies).toBeGreaterThan(10);
});

test('a source is not read again within its interval', async () => {
  const before = publishers.answers.length;
  const { runs, fresh } = await startSources();
  expect(fresh).toContain('canadabuys');
  expect(runs.map(({ source }) => source)).toEqual(['eccc_ghgrp']);
  const since = publishers.answers.slice(before);
  expect(since.filter((answer) => !answer.includes('data-donnees.az.ec.gc.ca'))).toEqual([]);
});

test('a search answers with what the publisher wrote, and with nothing fictional', async () => {
  const ready = JSON.parse(await readFile(path.join(data, 'ready.json'), 'utf8'));
  const ces = new CesClient({ baseUrl: ready.base_url, apiKey: ready.credentials.professional });
  const { companies } = await ces.searchCompanies({ query: 'replacement of harbour lights', limit: 3 }).done();
  const [first] = companies.flatMap(({ observations }) => observations.flatMap(({ evidence }) => evidence));
  expect(first?.source_uri).toMatch(/^https:\/\/canadabuys\.canada\.ca\//);
  expect(companies.flatMap(({ domains }) => domains).filter(({ hostname }) => /-cold-storage/.test(hostname))).toEqual(
    [],
  );
});

test('a later start without --live keeps the directory free of the sample and the schedules on', async () => {
  await node('deploy/local/src/commands/stop.ts');
  const again = await node('deploy/local/src/commands/start.ts', '--detach', '--port', '0');
  expect(again.stdout).not.toContain('sample data');
  expect(JSON.parse((await node('deploy/cli/src/main.ts', 'source', 'list', '--json')).stdout).schedules).toBe(true);
});
