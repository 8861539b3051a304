import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { KEY, startLoneGateway } from './lone-gateway.ts';

test('a collector over HTTPS with an authority of its own is shown a certificate and headers, by every signal', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ces-collector-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { certFile, keyFile, caFile } = await (await createAuthority()).issue(folder, ['localhost', '127.0.0.1']);
  const [cert, key, ca] = await Promise.all([certFile, keyFile, caFile].map((file) => readFile(file)));
  const seen = new Map<string, unknown>();
  const tls = { cert, key, ca, requestCert: true, rejectUnauthorized: true };
  const server = https.createServer(tls as https.ServerOptions, (request, response) => {
    const { authorized } = request.socket as TLSSocket;
    seen.set(request.url ?? '', { authorized, token: request.headers['x-token'] });
    request.resume().once('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const gateway = await startLoneGateway({
    CES_TRACE_DELAY_MS: '50',
    OTEL_BLRP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_EXPORTER_OTLP_ENDPOINT: `https://localhost:${(server.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=right',
    OTEL_EXPORTER_OTLP_CERTIFICATE: caFile,
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: certFile,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: keyFile,
  });
  await fetch(`${gateway.url}/api/companies?ids=1`, { headers: { authorization: `Bearer ${KEY}` } });
  const signals = ['/v1/logs', '/v1/metrics', '/v1/traces'];
  await expect.poll(() => [...seen.keys()].toSorted()).toEqual(signals);
  for (const signal of signals) expect(seen.get(signal)).toEqual({ authorized: true, token: 'right' });
});
