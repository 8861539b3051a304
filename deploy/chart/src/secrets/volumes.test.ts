import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillVolumes, withMissing } from './volumes.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-volumes-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('every container has its own folder, and only its owner can read the folder with all generated secrets', async () => {
  await fillVolumes(folder);
  expect((await readdir(folder)).sort()).toEqual(
    'acquisition admin gateway kept ledger lookup nats operations owners postgres search'.split(' '),
  );
  expect((await stat(path.join(folder, 'kept/secrets.json'))).mode & 0o777).toBe(0o400);
  expect((await stat(path.join(folder, 'gateway/settings.env'))).mode & 0o777).toBe(0o444);
});

test('no folder of a program contains a secret of another program', async () => {
  await fillVolumes(folder);
  const peppers = (await settings('ledger')).CES_LEDGER_PEPPERS ?? 'missing';
  for (const other of ['gateway', 'operations', 'search', 'lookup', 'acquisition', 'admin'])
    expect(JSON.stringify(await settings(other))).not.toContain(peppers);
  expect(await settings('gateway')).not.toHaveProperty('CES_NATS_PASSWORD');
});

test('the broker asks for what its programs show', async () => {
  await fillVolumes(folder);
  const { CES_NATS_PASSWORD: shown } = await settings('operations');
  expect(shown).toBeTruthy();
  expect(await read('nats/nats.conf')).toContain(`password: "${shown}"`);
});

test('a second run writes nothing', async () => {
  expect(await fillVolumes(folder)).toContain('ledger/settings.env');
  const before = await all();
  expect(await fillVolumes(folder)).toEqual([]);
  expect(await all()).toEqual(before);
});

test('files lost from a volume are restored with the same content', async () => {
  await fillVolumes(folder);
  const before = await all();
  await rm(path.join(folder, 'ledger'), { recursive: true });
  expect(await fillVolumes(folder)).toEqual(['ledger/settings.env']);
  expect(await all()).toEqual(before);
});

test('a file that an operator created stays, and the program can read it', async () => {
  await mkdir(path.join(folder, 'owners'));
  await writeFile(path.join(folder, 'owners/ledger.env'), 'CES_LEDGER_OWNER_DATABASE_URL=postgres://mine\n', {
    mode: 0o600,
  });
  expect(await fillVolumes(folder)).not.toContain('owners/ledger.env');
  expect(await read('owners/ledger.env')).toBe('CES_LEDGER_OWNER_DATABASE_URL=postgres://mine\n');
  expect((await stat(path.join(folder, 'owners/ledger.env'))).mode & 0o777).toBe(0o444);
});

test('a setting that an operator changed stays, and a missing one is appended', async () => {
  expect(withMissing('A=mine\nB=2', { A: '1', B: '2', C: '3' })).toBe('A=mine\nB=2\nC=3\n');
  expect(withMissing('A=mine\n', { A: '1' })).toBe('A=mine\n');
});

test('unreadable secrets are named and not generated again', async () => {
  await fillVolumes(folder);
  await rm(path.join(folder, 'kept/secrets.json'));
  await writeFile(path.join(folder, 'kept/secrets.json'), '{"a');
  await expect(fillVolumes(folder)).rejects.toThrow('secrets.json is damaged: put a copy of it back');
});

test('a file left by a killed run is replaced, not overwritten, because root without capabilities cannot write to it', async () => {
  const other = path.join(folder, 'other');
  await writeFile(other, 'half', { mode: 0o400 });
  await mkdir(path.join(folder, 'kept'));
  await link(other, path.join(folder, 'kept/secrets.json.new'));
  expect(await fillVolumes(folder)).toContain('ledger/settings.env');
  expect(await read('other')).toBe('half');
  expect(await fillVolumes(folder)).toEqual([]);
});

async function settings(name: string) {
  return parseEnv(await read(`${name}/settings.env`));
}

function read(file: string): Promise<string> {
  return readFile(path.join(folder, file), 'utf8');
}

async function all(): Promise<Record<string, string>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = files.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')])));
}
