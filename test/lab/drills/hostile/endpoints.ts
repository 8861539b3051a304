import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { modernMessage } from '@ces/gateway/test-support/mcp-client';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { bodyShapes, headerShapes, headShapes, manyParameters, type Shape, textShapes, valueShapes } from './shapes.ts';

export interface Endpoint {
  readonly name: string;
  readonly harmless: string;
  readonly shapes: () => readonly Shape[];
  /** Resolves with the HTTP status or its equivalent. It must be below 500 for any text. */
  readonly send: (text: string) => Promise<number>;
}

interface Target {
  readonly gateway: string;
  readonly operations: string;
  readonly token: string;
}

/** Just below the limits of body and address (gateway/docs/contract.md, Input). */
const BODY_BYTES = 128 * 1024 - 64;
const ADDRESS_BYTES = 8 * 1024 - 100;
/** Leaves room for the envelope below the body limit. */
const ARGUMENTS_BYTES = 128 * 1024 - 512;
/** Leaves room in the header limit for the other headers. */
const HEADER_BYTES = 14 * 1024;
/** Just below the message limit (deploy/docs/grpc.md). */
const MESSAGE_BYTES = 256 * 1024 - 2048;
/** Stays below five polls a second for one operation (gateway/docs/contract.md). */
const POLL_PAUSE_MS = 250;
const JSON_TYPE = { 'content-type': 'application/json' };
const QUERY = '{"query":"a"}';

export function endpointsOf(target: Target): Endpoint[] {
  return [bodies, inBackground, addresses, headers, tools, methods].flatMap((make) => make(target));
}

function bodies(target: Target): Endpoint[] {
  const paths = ['companies/search', 'observations/search', 'usages', 'observations/lookup', 'diagnostics'];
  return paths.map((path) => ({
    name: `POST /api/${path}`,
    harmless: QUERY,
    shapes: () => bodyShapes(BODY_BYTES),
    send: (body) => statusOf(target, 'POST', `/api/${path}`, JSON_TYPE, body),
  }));
}

/** Background searches answer 202. `send` resolves when their work has ended. */
function inBackground(target: Target): Endpoint[] {
  const first = '{"background":true,';
  return ['/api/companies/search', '/api/observations/search'].map((path) => ({
    name: `POST ${path}, in the background`,
    harmless: QUERY,
    shapes: () => bodyShapes(BODY_BYTES - first.length).filter(({ text }) => text.startsWith('{')),
    async send(text) {
      const body = text.replace('{', () => first);
      let answer = await answerOf(target, 'POST', path, JSON_TYPE, body);
      while (answer.status === 202) {
        await pause(POLL_PAUSE_MS);
        answer = await answerOf(target, 'GET', answer.headers.get('location') ?? '', {});
      }
      return answer.status;
    },
  }));
}

/** Addresses before the hostile text, each with a harmless end. */
const ADDRESSES: readonly (readonly [string, string])[] = [
  ...['companies', 'usages', 'observations'].map((kind) => [`/api/${kind}/`, '1'] as const),
  ['/api/companies?ids[]=', '1'],
  ['/api/companies?domains[]=', 'a.example'],
  ...['since', 'limit', 'cursor'].map((name) => [`/api/observations?domains[]=a.example&${name}=`, '1'] as const),
  ...['since', 'status', 'cursor'].map((name) => [`/api/usages?${name}=`, ''] as const),
  ...['until', 'limit', 'cursor'].map((name) => [`/api/usage/statement?${name}=`, ''] as const),
  ['/api/usage?', ''],
  ['/', ''],
];

function addresses(target: Target): Endpoint[] {
  const get = (before: string, harmless: string, shapes: Endpoint['shapes'], name = before): Endpoint => ({
    ...{ name: `GET ${name}`, harmless, shapes },
    send: (text) => statusOf(target, 'GET', `${before}${text}`, {}),
  });
  return [
    ...ADDRESSES.map(([before, harmless]) => get(before, harmless, () => headShapes(ADDRESS_BYTES))),
    get('/api/companies?', 'ids[]=1', () => manyParameters(ADDRESS_BYTES), '/api/companies, many parameters'),
  ];
}

function headers(target: Target): Endpoint[] {
  const shapes = () => headerShapes(HEADER_BYTES);
  const ascii = () => shapes().filter(({ text }) => !/[^ -~]/.test(text));
  const usage = (sent: Readonly<Record<string, string>>) => statusOf(target, 'GET', '/api/usage', sent);
  return [
    {
      ...{ name: 'Idempotency-Key', harmless: 'a', shapes },
      send: (key) => statusOf(target, 'GET', '/api/companies?ids[]=1', { 'idempotency-key': `${key}${Math.random()}` }),
    },
    {
      ...{ name: 'Authorization', harmless: 'Bearer a', shapes: ascii },
      send: (text) => usage({ authorization: `Bearer ${text}` }),
    },
    {
      ...{ name: 'Content-Type', harmless: 'application/json', shapes: ascii },
      send: (text) =>
        statusOf(target, 'POST', '/api/diagnostics', { 'content-type': `application/json;${text}` }, '{}'),
    },
    { ...{ name: 'traceparent', harmless: '00-1', shapes: ascii }, send: (text) => usage({ traceparent: text }) },
  ];
}

/** Errors that MCP reports with HTTP 200 and REST with 5xx. */
const FAULT = /"code":\s*(?:"(?:internal_error|service_unavailable)"|-32603)/;

function tools(target: Target): Endpoint[] {
  const calls = ['search_companies', 'get_companies'].flatMap((tool) =>
    ['2026-07-28', '2025-11-25'].map((revision) => ({ tool, revision })),
  );
  return calls.map(({ tool, revision }) => {
    const params = { name: tool, arguments: 'ARGUMENTS' };
    const message =
      revision === '2025-11-25'
        ? {
            json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
            headers: { 'mcp-protocol-version': revision } as Record<string, string>,
          }
        : modernMessage('tools/call', params);
    // Builds the body as text, because some shapes are no valid JSON.
    const template = JSON.stringify(message.json);
    const sent = { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...message.headers };
    return {
      name: `MCP ${tool}, ${revision}`,
      harmless: QUERY,
      shapes: () => bodyShapes(ARGUMENTS_BYTES),
      async send(text) {
        const keyed = text.startsWith('{') ? text.replace('{', () => `{"request_key":"${randomUUID()}",`) : text;
        const answer = await answerOf(
          target,
          'POST',
          '/mcp',
          sent,
          template.replace('"ARGUMENTS"', () => keyed),
        );
        return FAULT.test(answer.text) ? 500 : answer.status;
      },
    };
  });
}

interface Input {
  readonly query?: string;
  readonly filters?: { readonly domains?: string[]; readonly occurred_after?: string };
  readonly domains?: string[];
  readonly since?: string;
  readonly cursor?: string;
}

function methods({ operations, token }: Target): Endpoint[] {
  const client = createRpcClient(OperationsService, { url: operations, timeoutMs: 60_000 });
  const caller = (value: string) => ({ identity: { case: 'bearer', value } as const });
  const common = () => ({ caller: caller(token), requestKey: randomUUID() });
  const shapes = () => [...textShapes(MESSAGE_BYTES), ...valueShapes(MESSAGE_BYTES)].filter(({ text }) => isJson(text));
  const domainsOf = ({ query = 'a.example', filters, domains }: Input) => domains ?? filters?.domains ?? [query];
  const calls: Readonly<Record<string, (input: Input) => Promise<unknown>>> = {
    SubmitCompanySearch: ({ query = 'a', filters, cursor }) =>
      client.submitCompanySearch({
        ...common(),
        input: { query, filters: { domains: filters?.domains ?? [], occurredAfter: filters?.occurred_after }, cursor },
      }),
    SubmitObservationSearch: ({ query = 'a', filters, cursor }) =>
      client.submitObservationSearch({
        ...common(),
        input: { query, filters: { occurredAfter: filters?.occurred_after }, cursor },
      }),
    SubmitCompanyLookup: (input) => client.submitCompanyLookup({ ...common(), input: { domains: domainsOf(input) } }),
    SubmitObservationLookup: ({ since = '', cursor, ...input }) =>
      client.submitObservationLookup({ ...common(), input: { domains: domainsOf(input), since, cursor } }),
    GetOperation: ({ query = 'a' }) => client.getOperation({ caller: caller(query), operationId: 1n }),
    'a request key': ({ query = 'a' }) =>
      client.submitDiagnostic({ ...common(), requestKey: `${query}${Math.random()}` }),
  };
  return Object.entries(calls).map(([name, call]) => ({
    ...{ name: `gRPC ${name}`, harmless: QUERY, shapes },
    send: (text) => call(JSON.parse(text) as Input).then(() => 200, statusOfError),
  }));
}

/** All other codes are a server fault or an outage. */
const REFUSALS: ReadonlySet<Code> = new Set([
  ...[Code.InvalidArgument, Code.OutOfRange, Code.FailedPrecondition, Code.NotFound, Code.AlreadyExists],
  ...[Code.PermissionDenied, Code.Unauthenticated, Code.ResourceExhausted],
]);

/** Maps codes as the gateway does: 422 for a refusal, 500 for a failure. */
function statusOfError(error: unknown): number {
  if (!(error instanceof ConnectError)) throw error;
  return REFUSALS.has(error.code) ? 422 : 500;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function statusOf(...parameters: Parameters<typeof answerOf>): Promise<number> {
  return (await answerOf(...parameters)).status;
}

async function answerOf(
  { gateway, token }: Target,
  method: string,
  path: string,
  sent: Readonly<Record<string, string>>,
  body?: string,
) {
  const response = await fetch(`${gateway.replace(/\/$/, '')}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID(), ...sent },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
