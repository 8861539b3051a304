// @module-tag nightly
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InstalledClient, installClient } from '../support/client/packed.ts';
import { writeExamples } from '../support/client/readme.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

const execute = promisify(execFile);

let stack: TestStack;
let installed: InstalledClient;
let examples: readonly string[];

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(8, 'cold storage warehouse');
  await recordEvidence(stack, companies, observations);
  installed = await installClient();
  examples = await writeExamples(installed.folder);
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await installed?.[Symbol.asyncDispose]();
});

test('the tarball has the compiled client, its README and nothing that it depends on', async () => {
  const folder = path.join(installed.folder, 'node_modules/@ces/client');
  expect((await readdir(folder)).sort()).toEqual(['README.md', 'lib', 'package.json']);
  const files = await readdir(path.join(folder, 'lib'), { recursive: true });
  expect(files.filter((file) => file.endsWith('.test.js'))).toEqual([]);
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: '@ces/client', license: 'UNLICENSED', type: 'module' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect((await readdir(path.join(installed.folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    '@ces',
  ]);
});

test('every example of the README runs against a stack', async () => {
  const { token } = await createSubscriber(stack, { plan: 'professional' });
  const env = { PATH: process.env.PATH, CES_GATEWAY_URL: stack.baseUrl, CES_TOKEN: token };
  expect(examples.length).toBeGreaterThanOrEqual(7);
  for (const name of examples) {
    const { stdout } = await execute(process.execPath, [`${name}.mjs`], { cwd: installed.folder, env });
    expect(stdout, name).not.toBe('');
  }
});

test.each([
  ['the compiler of this tree', 'node_modules/typescript/bin/tsc'],
  ['a compiler of the 5 series', 'gateway/node_modules/typescript/bin/tsc'],
])('every example of the README, and every declaration that it reads, is right to %s', async (_, compiler) => {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module: 'nodenext',
    noEmit: true,
    skipLibCheck: false,
    types: [],
  };
  const files = ['platform.d.ts', ...examples.map((name) => `${name}.ts`)];
  const platform = 'declare const process: { readonly env: Readonly<Record<string, string | undefined>> };\n';
  await writeFile(path.join(installed.folder, 'platform.d.ts'), platform);
  await writeFile(path.join(installed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const check = execute(process.execPath, [path.join(REPOSITORY, compiler), '-p', '.'], { cwd: installed.folder });
  expect(await check.catch(({ stdout }) => stdout)).toMatchObject({ stdout: '' });
});
