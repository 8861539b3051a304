import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { StreamRequest, StreamResponse } from '@connectrpc/connect';
import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect, onTestFinished, test } from 'vitest';
import { observeIncomingCalls } from './rpc.ts';

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}

  async names(): Promise<string[]> {
    const { resourceMetrics } = await this.collect();
    const all = resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) => found);
    return all.filter(({ dataPoints }) => dataPoints.length > 0).map(({ descriptor }) => descriptor.name);
  }
}

test.each(['before its answers begin', 'before they are read'])(
  'a stream whose caller leaves %s ends, although nothing reads it',
  async (when) => {
    const reader = new Reader();
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
    onTestFinished(() => metrics.disable());
    const caller = new AbortController();
    if (when === 'before its answers begin') caller.abort();
    const request = {
      stream: true,
      method: LedgerService.method.authenticate,
      url: 'http://127.0.0.1/',
      header: new Headers(),
      signal: caller.signal,
    } as unknown as StreamRequest;
    const answers = { stream: true, message: (async function* () {})() } as unknown as StreamResponse;
    await observeIncomingCalls().interceptor(async () => answers)(request);
    caller.abort();
    await expect.poll(() => reader.names()).toContain('rpc.server.call.duration');
  },
);
