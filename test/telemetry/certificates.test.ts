import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { startLoneGateway } from './lone-gateway.ts';

test('a scrape reports when each certificate expires, as the process itself has read it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ces-expiry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const notAfter = new Date('2126-01-02T03:04:05Z');
  const { certFile, keyFile, caFile } = await (await createAuthority()).issue(folder, ['127.0.0.1'], notAfter);
  const gateway = await startLoneGateway({
    CES_PUBLIC_CERT_FILE: certFile,
    CES_PUBLIC_KEY_FILE: keyFile,
    CES_RPC_TLS_CA_FILE: caFile,
  });
  const scrape = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  const shown = [
    ...scrape.matchAll(/^ces_certificate_expires_at_seconds\{certificate="(\w+)",part="(\w+)"[^}]*\} (\S+)/gm),
  ];
  const ends = new Map(shown.map(([, name, part, value]) => [`${name} ${part}`, Number(value)]));
  expect(ends.get('public own')).toBe(notAfter.getTime() / 1_000);
  expect(ends.get('rpc authority')).toBeGreaterThan(Date.now() / 1_000);
});
