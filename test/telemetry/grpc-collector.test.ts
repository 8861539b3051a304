import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { KEY, startLoneGateway } from './lone-gateway.ts';

const asItIs = (bytes: Buffer) => bytes;
const SIGNALS = ['trace.v1.Trace', 'metrics.v1.Metrics', 'logs.v1.Logs'];

async function startGrpcCollector() {
  const folder = await mkdtemp(path.join(tmpdir(), 'ces-collector-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { certFile, keyFile, caFile } = await (await createAuthority()).issue(folder, ['127.0.0.1', 'localhost']);
  const received = new Map<string, string>();
  const server = new Server();
  for (const signal of SIGNALS) {
    const service = `opentelemetry.proto.collector.${signal}Service`;
    const method = {
      path: `/${service}/Export`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asItIs,
      requestDeserialize: asItIs,
      responseSerialize: asItIs,
      responseDeserialize: asItIs,
    };
    const keep = ({ request }: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => {
      received.set(signal, request.toString('latin1'));
      answer(null, Buffer.alloc(0));
    };
    server.addService({ export: method }, { export: keep });
  }
  const pair = { private_key: await readFile(keyFile), cert_chain: await readFile(certFile) };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const bound = (error: Error | null, port: number) => (error ? reject(error) : resolve(port));
  server.bindAsync('127.0.0.1:0', ServerCredentials.createSsl(null, [pair]), bound);
  onTestFinished(() => server.forceShutdown());
  return { url: `https://localhost:${await promise}`, caFile, received };
}

test('a collector that speaks gRPC over TLS gets traces, metrics and logs', async () => {
  const { url, caFile, received } = await startGrpcCollector();
  const gateway = await startLoneGateway({
    CES_TRACE_DELAY_MS: '50',
    OTEL_BLRP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_CERTIFICATE: caFile,
  });
  await fetch(`${gateway.url}/api/companies?ids=1`, { headers: { authorization: `Bearer ${KEY}` } });
  await expect.poll(() => [...received.keys()].toSorted()).toEqual(SIGNALS.toSorted());
  for (const sent of received.values()) expect(sent).toContain('gateway');
});
