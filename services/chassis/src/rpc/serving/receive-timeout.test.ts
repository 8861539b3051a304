import { mkdtemp, readFile, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { createAuthority } from '@ces/test/support/certificates.ts';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { expect, onTestFinished, test } from 'vitest';
import { startHoldingServer, streamHeld } from '../../../test-support/held-calls.ts';

test('a connection of HTTP/1.1 keeps nothing of the streams that it carried', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  const folder = await mkdtemp(path.join(tmpdir(), 'ces-arrival-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { certFile, keyFile, caFile } = await (await createAuthority()).issue(folder, ['127.0.0.1']);
  await using server = await startHoldingServer(() => Promise.resolve(), {
    tls: {
      tlsCertFile: certFile,
      tlsKeyFile: keyFile,
      tlsCaFile: caFile,
      tlsClientAuth: 'require',
      tlsRefreshMs: 1_000,
    },
  });
  const [ca, cert, key] = await Promise.all([caFile, certFile, keyFile].map((file) => readFile(file)));
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca, cert, key });
  const client = createClient(
    LedgerService,
    createConnectTransport({ baseUrl: server.url, httpVersion: '1.1', nodeOptions: { agent } }),
  );
  for (let call = 0; call < 12; call += 1) await streamHeld(client, 1n);
  agent.destroy();
  process.off('warning', onWarning);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});
