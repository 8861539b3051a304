import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { OWN_ACCOUNT } from './account.ts';
import { spawnServer } from './server.ts';

const execute = promisify(execFile);

/** A program that stops a server that ignores SIGTERM, and then prints a line. */
const STOPPER = `
  import { spawnServer } from '${path.join(import.meta.dirname, 'server.ts')}';
  const { OWN_ACCOUNT } = await import('${path.join(import.meta.dirname, 'account.ts')}');
  const server = await spawnServer({
    program: '/bin/sh',
    parameters: ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.1; done'],
    account: OWN_ACCOUNT,
    logFile: process.argv[1],
    orphanSignal: 'TERM',
  });
  while (!(await server.output()).includes('ready'));
  await server.stop('SIGTERM', 50);
  console.log('stopped');
`;

test('a program goes on after a server that had to be killed', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-server-'));
  try {
    const parameters = ['--input-type=module', '--eval', STOPPER, path.join(folder, 'log')];
    const { stdout } = await execute(process.execPath, parameters);
    expect(stdout).toBe('stopped\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a program that ends at once is known to have ended', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-server-'));
  const options = { account: OWN_ACCOUNT, logFile: path.join(folder, 'log'), orphanSignal: 'TERM' } as const;
  try {
    for (let at = 0; at < 50; at += 1) {
      const server = await spawnServer({ ...options, program: '/bin/sh', parameters: ['-c', 'exit 3'] });
      expect(await server.ended).toBe(3);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
