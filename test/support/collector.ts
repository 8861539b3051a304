import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** The AnyValue of OTLP/HTTP JSON, which may encode an int as a string. */
interface Value {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly arrayValue?: object;
  readonly kvlistValue?: object;
}

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface Item {
  readonly name?: string;
  readonly traceId?: string;
  readonly severityText?: string;
  readonly body?: Value;
  readonly attributes?: readonly Attribute[];
}

interface Received extends Item {
  readonly signal: 'traces' | 'metrics' | 'logs';
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly requests: { readonly path: string; readonly headers: http.IncomingHttpHeaders; readonly body: string }[];
  received(signal: Received['signal']): Received[];
}

export async function startCollector(): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    requests.push({ path: request.url ?? '', headers: request.headers, body: plain.toString('latin1') });
    response.writeHead(200, { 'content-type': request.headers['content-type'] ?? '' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    received: (signal) =>
      requests
        .filter(({ path, headers }) => path === `/v1/${signal}` && headers['content-type'] === 'application/json')
        .flatMap(({ body }) => itemsOf(signal, JSON.parse(Buffer.from(body, 'latin1').toString('utf8')))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function attributesOf(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

type Export = Record<string, { resource: { attributes: Attribute[] } }[]>;

function itemsOf(signal: Received['signal'], sent: Export): Received[] {
  const [of, within, items] = {
    traces: ['resourceSpans', 'scopeSpans', 'spans'],
    metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
    logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  }[signal] as [string, string, string];
  return (sent[of] ?? []).flatMap((one) => {
    const resource = attributesOf(one.resource.attributes);
    const scopes = (one as unknown as Record<string, Record<string, Item[]>[]>)[within] ?? [];
    return scopes.flatMap((scope) => (scope[items] ?? []).map((item) => ({ ...item, signal, resource })));
  });
}
