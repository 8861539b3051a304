// @module-tag nightly
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { MountedSecret } from '../support/mounted-secret.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTlsCollector, type TlsCollector } from '../support/tls-collector.ts';
import { KEY, startLoneGateway } from './lone-gateway.ts';

const SIGNALS = ['traces', 'metrics', 'logs'] as const;
const POLLING = { timeout: 60_000, interval: 100 };
const EXPORTS = 3;

async function callOn({ url }: ServiceProcess, signal: AbortSignal): Promise<string[]> {
  const traceIds: string[] = [];
  while (!signal.aborted) {
    const answer = await fetch(`${url}/api/companies?ids=1`, { headers: { authorization: `Bearer ${KEY}` } });
    await answer.arrayBuffer();
    traceIds.push(answer.headers.get('traceparent')?.split('-')[1] ?? 'none');
    await pause(150);
  }
  return traceIds;
}

async function exported(collector: TlsCollector): Promise<void> {
  for (const signal of SIGNALS) {
    const target = collector.received(signal).length + EXPORTS;
    await expect.poll(() => collector.received(signal).length, POLLING).toBeGreaterThanOrEqual(target);
  }
}

test.each(['http/protobuf', 'grpc'])(
  'over %s certificates and authority are replaced while signals flow, and go on',
  async (protocol) => {
    const [before, after] = [await createAuthority(), await createAuthority()];
    const collector = await startTlsCollector(before);
    onTestFinished(() => collector[Symbol.asyncDispose]());
    const secret = await MountedSecret.create(before, ['gateway']);
    onTestFinished(() => secret[Symbol.asyncDispose]());
    const gateway = await startLoneGateway({
      CES_TRACE_DELAY_MS: '50',
      OTEL_BLRP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_CERTIFICATE: secret.files.caFile,
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: secret.files.certFile,
      OTEL_EXPORTER_OTLP_CLIENT_KEY: secret.files.keyFile,
    });
    const ending = new AbortController();
    const calling = callOn(gateway, ending.signal);
    onTestFinished(async () => {
      ending.abort();
      await calling;
    });
    await exported(collector);
    let ended = 0;
    const both = `${before.pem}\n${after.pem}`;
    for (const [by, trusted] of [
      [before, both],
      [after, both],
      [after, after.pem],
    ] as const) {
      // The side that trusts both authorities changes first, as in the operators' procedure.
      await secret.replace(by, trusted);
      const { serialNumber } = new X509Certificate(await readFile(secret.files.certFile));
      const serials = () => {
        ended += collector.endSessions();
        return SIGNALS.map((signal) => collector.shown.get(signal));
      };
      await expect.poll(serials, { ...POLLING, interval: 500 }).toEqual([serialNumber, serialNumber, serialNumber]);
      await collector.replace(by, trusted);
      ended += collector.endSessions();
      await exported(collector);
    }
    const scrape = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    for (const part of ['own', 'authority'])
      expect(scrape).toContain(`ces_certificate_expires_at_seconds{certificate="otlp",part="${part}"`);
    ending.abort();
    const traceIds = await calling;
    const lost = () => {
      const sent = Buffer.concat(collector.received('traces'));
      return traceIds.filter((id) => !sent.includes(Buffer.from(id, 'hex')));
    };
    // The gRPC exporter of the SDK does not retry: an export that starts as its connection ends may
    // be lost.
    const most = protocol === 'grpc' ? ended : 0;
    await expect.poll(() => lost().length, POLLING).toBeLessThanOrEqual(most);
    console.log(`${traceIds.length} traces over ${protocol}, ${lost().length} lost, ${ended} sessions ended`);
  },
  120_000,
);

test('a certificate of a collector that is not there ends the start', async () => {
  const starting = startLoneGateway({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://localhost:1',
    OTEL_EXPORTER_OTLP_CERTIFICATE: '/gone',
  });
  await expect(starting).rejects.toThrow('gateway ended with 1 before it was ready');
});
