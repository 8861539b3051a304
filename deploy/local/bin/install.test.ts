import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isInstalled } from './install.mjs';

const EARLIER = new Date('2026-01-01T00:00:00Z');

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'ces-install-'));
  await mkdir(path.join(root, 'node_modules'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

test('an install that was cut short counts as none', async () => {
  await write('package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  expect(isInstalled(root)).toBe(false);
});

test('a lock file that was touched without a change is no reason to install again', async () => {
  await install({ 'node_modules/a': { version: '1.0.0' } });
  await write('package-lock.json', {
    '': {},
    'services/x': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/only-on-another-system': { version: '1.0.0', optional: true },
  });
  expect(isInstalled(root)).toBe(true);
});

test('another version in the lock file is a reason', async () => {
  await install({ 'node_modules/a': { version: '1.0.0' } });
  await write('package-lock.json', { 'node_modules/a': { version: '1.0.1' } });
  expect(isInstalled(root)).toBe(false);
});

test('a package that is missing is a reason', async () => {
  await install({ 'node_modules/a': { version: '1.0.0' } });
  await write('package-lock.json', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } });
  expect(isInstalled(root)).toBe(false);
});

async function install(packages: Record<string, object>): Promise<void> {
  await write('node_modules/.package-lock.json', packages);
  await utimes(path.join(root, 'node_modules/.package-lock.json'), EARLIER, EARLIER);
}

async function write(file: string, packages: Record<string, object>): Promise<void> {
  await writeFile(path.join(root, file), JSON.stringify({ packages }));
}
