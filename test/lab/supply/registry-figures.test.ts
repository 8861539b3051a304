import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '@ces/servers/ports';
import { REPOSITORY } from '@ces/topology/services';
import { expect, test } from 'vitest';
import { readView } from './registry-figures.ts';

const NOW = new Date('2026-11-23T00:00:00Z');

test('figures are read from what npm shows', () => {
  const view = {
    time: {
      created: '2020-01-01T00:00:00Z',
      '1.0.0': '2020-01-02T00:00:00Z',
      '1.10.0': '2026-02-01T00:00:00Z',
      '1.9.0': '2026-01-01T00:00:00Z',
    },
    'dist-tags': { latest: '1.10.0' },
    maintainers: ['a <a@b.example>', 'c <c@d.example>'],
    repository: { url: 'git+https://github.com/owner/name.git' },
  };
  expect(readView('name', view, NOW)).toEqual({
    knownSince: '2020-01-02',
    lastRelease: '2026-02-01',
    latest: '1.10.0',
    releasesInYear: 2,
    maintainers: 2,
    deprecated: undefined,
    owner: 'github.com/owner',
  });
});

test('a version that a mirror fetched after a higher one is no release of the year', () => {
  const time = { '1.0.0': '2026-09-01T00:00:00Z', '2.0.0': '2026-03-01T00:00:00Z' };
  expect(readView('name', { time, 'dist-tags': { latest: '2.0.0' } }, NOW)).toMatchObject({
    releasesInYear: 1,
    maintainers: undefined,
  });
});

test('a registry that tells no dates is named in one sentence', () => {
  expect(() => readView('name', { 'dist-tags': { latest: '1.0.0' } }, NOW)).toThrow(
    'The npm registry told no dates of name, without',
  );
});

test('without a registry the program says so in one sentence that names no address', async () => {
  const port = await freePort(0);
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` };
  const program = promisify(execFile)(process.execPath, ['test/lab/supply/dependencies.ts', '--only', 'pg'], {
    cwd: REPOSITORY,
    env,
  });
  const failure = await program.catch((error: Error & { code: number; stdout: string; stderr: string }) => error);
  expect(failure).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'The npm registry said nothing of pg (ECONNREFUSED).\n',
  });
});
