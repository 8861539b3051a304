import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startGateway } from '../test-support/gateway.ts';

const SCRIPT = readFileSync(path.resolve(import.meta.dirname, '../../charts/ces/files/helm-test.mjs'), 'utf8');

async function runHelmTest(port: number): Promise<string> {
  const env = { CES_GATEWAY_URL: `http://127.0.0.1:${port}`, CES_TEST_TIMEOUT_MS: '5000' };
  const parameters = ['--input-type=module', '--eval', SCRIPT];
  return (await promisify(execFile)(process.execPath, parameters, { env })).stdout;
}

test('helm test is content with a gateway', async () => {
  await using gateway = await startGateway({});
  expect(await runHelmTest(gateway.port)).toMatch(/^the gateway serves interface \d/);
});

test('helm test fails when every address answers with success', async () => {
  const server = createServer((_, response) => response.end('{"info":{"version":"1"}}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const failed = runHelmTest((server.address() as AddressInfo).port);
    await expect(failed).rejects.toThrow('/api/usage without an API key is answered with 200, not 401');
  } finally {
    server.close();
  }
});
