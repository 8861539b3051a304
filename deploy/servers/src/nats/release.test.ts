import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../ports.ts';
import { fetchRelease } from './release.ts';

const execute = promisify(execFile);
const NAME = 'nats-server-v2.15.0-linux-amd64';
const PROGRAM = '#!/bin/sh\necho "nats-server: v2.15.0"\n';

let folder: string;
let target: string;
let archive: { name: string; sha256: string };
let server: http.Server;
let releases: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-release-'));
  target = path.join(folder, 'cache/nats-server');
  const bytes = await makeArchive();
  archive = { name: NAME, sha256: createHash('sha256').update(bytes).digest('hex') };
  server = http.createServer((request, response) => {
    const known = request.url === `/v2.15.0/${NAME}.tar.gz`;
    response.writeHead(known ? 200 : 404).end(known ? bytes : 'Not Found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  releases = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

test('the archive with the pinned sum is unpacked and runs', async () => {
  await fetchRelease(archive, target, releases);
  expect((await execute(target, ['--version'])).stdout).toBe('nats-server: v2.15.0\n');
  expect((await stat(target)).mode & 0o777).toBe(0o755);
  expect(await readdir(path.dirname(target))).toEqual(['nats-server']);
});

test('an archive with another sum is refused before it is unpacked', async () => {
  const pinned = { name: NAME, sha256: '0'.repeat(64) };
  await expect(fetchRelease(pinned, target, releases)).rejects.toThrow(
    `is not what was pinned: its SHA-256 is ${archive.sha256}, not ${pinned.sha256}`,
  );
  await expect(stat(target)).rejects.toThrow('ENOENT');
});

test('a release that is not there is named with the answer', async () => {
  const missing = { ...archive, name: 'nats-server-v2.15.0-linux-none' };
  await expect(fetchRelease(missing, target, releases)).rejects.toThrow(
    /^127\.0\.0\.1:\d+ answers 404 for http:\S+none\.tar\.gz$/,
  );
});

test('a host that cannot be reached is named with the reason', async () => {
  const nobody = `http://127.0.0.1:${await freePort(0)}`;
  await expect(fetchRelease(archive, target, nobody)).rejects.toThrow(
    /^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/,
  );
  await expect(fetchRelease(archive, target, 'http://nobody.invalid')).rejects.toThrow(
    /^nobody\.invalid cannot be reached \((ENOTFOUND|EAI_AGAIN)\)$/,
  );
});

async function makeArchive(): Promise<Buffer> {
  const content = path.join(folder, NAME);
  await mkdir(content);
  await writeFile(path.join(content, 'nats-server'), PROGRAM);
  await writeFile(path.join(content, 'README.md'), '# NATS\n');
  const file = path.join(folder, 'archive.tar.gz');
  await execute('tar', ['-czf', file, '-C', folder, NAME]);
  return await readFile(file);
}
