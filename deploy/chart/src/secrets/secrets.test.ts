import { hash } from 'node:crypto';
import { DATABASE_SERVICES, SERVICES } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { listComponents } from '../components.ts';
import { clusterSecretFiles, databaseStatements, generateSecrets, kubernetesSecrets, secretFiles } from './secrets.ts';

const secrets = generateSecrets();
const files = secretFiles(secrets, (service) => `${service}.example:5432`, 'alice');

test('every program is given each secret that it cannot do without, and none of another', () => {
  for (const { name, settings } of listComponents()) {
    const given = Object.keys(files.get(name) ?? {});
    const secret = settings.filter((setting) => setting.secret);
    const needed = secret.filter((setting) => setting.default === undefined).map((setting) => setting.name);
    expect(given).toEqual(expect.arrayContaining(needed));
    expect(secret.map((setting) => setting.name)).toEqual(expect.arrayContaining(given));
  }
});

test('a Secret opens what its program calls and nothing else, and holds no token of another', () => {
  const digests = new Map<string, string>();
  for (const [callee, env] of files)
    for (const pair of (env.CES_RPC_CALLER_DIGESTS ?? '').split(',').filter(Boolean))
      digests.set(pair.slice(pair.indexOf('=') + 1), `${pair.slice(0, pair.indexOf('='))} at ${callee}`);
  const opened = [...files].flatMap(([name, env]) =>
    Object.entries(env)
      .flatMap(([setting, value]) => (setting.startsWith('CES_RPC_') ? value.split(',') : [value]))
      .map((value) => digests.get(hash('sha256', value.slice(value.indexOf('=') + 1))))
      .filter((found) => found !== undefined)
      .map((found) => [name, found]),
  );
  const wanted = SERVICES.flatMap(({ name, calls }) => calls.map((callee) => [name, `${name} at ${callee}`]));
  expect(opened.sort()).toEqual(wanted.sort());
  expect(digests.size).toBe(wanted.length);
});

test('every database has a role that owns it and one that only runs, each with a password of its own', () => {
  const statements = databaseStatements(secrets);
  for (const { name } of DATABASE_SERVICES) {
    const runs = files.get(name)?.[`CES_${name.toUpperCase()}_DATABASE_URL`] ?? '';
    const owns = files.get(`${name}-owner`)?.[`CES_${name.toUpperCase()}_OWNER_DATABASE_URL`] ?? '';
    expect(new URL(runs).username).toBe(name);
    expect(new URL(owns).username).toBe(`${name}_owner`);
    expect(new URL(runs).password).not.toBe(new URL(owns).password);
    for (const url of [runs, owns]) expect(statements).toContain(`password '${new URL(url).password}'`);
  }
});

test('where CloudNativePG has the databases, a role has its password in one Secret, in its form, and nothing else holds an address', () => {
  const drawn = clusterSecretFiles(secrets, 'alice');
  const passwords = DATABASE_SERVICES.map(({ name }) => drawn.get(`${name}-postgres`));
  expect(passwords.map((keys) => keys?.username)).toEqual(DATABASE_SERVICES.map(({ name }) => name));
  expect(new Set(passwords.map((keys) => keys?.password)).size).toBe(DATABASE_SERVICES.length);
  expect([...drawn.keys()].filter((name) => name.endsWith('-owner'))).toEqual([]);
  expect(JSON.stringify([...drawn])).not.toContain('postgres://');
  expect(Object.keys(drawn.get('ledger') ?? {})).toEqual(expect.arrayContaining(['CES_LEDGER_PEPPERS']));
});

test('where CloudNativePG has the databases, roles are called as the installation calls them', () => {
  const drawn = clusterSecretFiles(secrets, 'alice', (service) => `eu_${service}`);
  for (const { name } of DATABASE_SERVICES) expect(drawn.get(`${name}-postgres`)?.username).toBe(`eu_${name}`);
});

test('kubectl receives one Secret per file, and only CloudNativePG passwords have the type of a password', () => {
  const drawn = clusterSecretFiles(secrets, 'alice');
  const { items } = kubernetesSecrets(drawn, 'evidence-ces');
  expect(items.map(({ metadata }) => metadata.name)).toEqual([...drawn.keys()].map((name) => `evidence-ces-${name}`));
  for (const { metadata, type, stringData } of items) {
    const isPassword = metadata.name.endsWith('-postgres');
    expect(type).toBe(isPassword ? 'kubernetes.io/basic-auth' : 'Opaque');
    expect(Object.keys(stringData).includes('password')).toBe(isPassword);
  }
});

test('an installation with names of its own has them in every address and statement', () => {
  const named = secretFiles(
    secrets,
    () => 'postgres:5432',
    'alice',
    (service) => `second_${service}`,
  );
  const statements = databaseStatements(secrets, (service) => `second_${service}`);
  for (const { name } of DATABASE_SERVICES) {
    const url = new URL(named.get(`${name}-owner`)?.[`CES_${name.toUpperCase()}_OWNER_DATABASE_URL`] ?? '');
    expect([url.username, url.pathname]).toEqual([`second_${name}_owner`, `/second_${name}`]);
    expect(statements).toContain(`create database "second_${name}" owner "second_${name}_owner";`);
  }
});

test('no two installations share a secret', () => {
  const others = new Set(Object.values(generateSecrets()));
  expect(Object.values(secrets).filter((secret) => others.has(secret))).toEqual([]);
});
