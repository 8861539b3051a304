import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { modernMessage } from '@ces/gateway/test-support/mcp-client';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { headShapes, jsonShapes, type Shape, textShapes, valueShapes } from './shapes.ts';

/** A way in, with the shapes that are sent through it and a harmless one. */
export interface Endpoint {
  readonly name: string;
  readonly harmless: string;
  readonly shapes: () => readonly Shape[];
  /** Resolves with the HTTP status of the answer, or what stands for it; below 500, whatever is sent. */
  readonly send: (text: string) => Promise<number>;
}

export interface Target {
  readonly gateway: string;
  readonly operations: string;
  readonly token: string;
}

/** Just below the greatest body, address and message (gateway/docs/contract.md, Input; deploy/docs/grpc.md). */
const BODY_BYTES = 128 * 1024 - 64;
const MCP_ARGUMENTS_BYTES = 128 * 1024 - 512;
const ADDRESS_BYTES = 8 * 1024 - 100;
const KEY_BYTES = 14 * 1024;
const MESSAGE_BYTES = 256 * 1024 - 2048;

/** Every route, tool and method that takes input of a subscriber. */
export function endpointsOf(target: Target): Endpoint[] {
  return [
    ...bodies(target),
    ...inBackground(target),
    ...addresses(target),
    ...heads(target),
    ...tools(target),
    ...methods(target),
  ];
}

const bodyShapes = (bytes: number) => [...textShapes(bytes), ...valueShapes(bytes), ...jsonShapes(bytes)];

/** Below five polls a second an operation (gateway/docs/contract.md). */
const POLL_PAUSE_MS = 250;

async function call(...parameters: Parameters<typeof answerOf>): Promise<number> {
  return (await answerOf(...parameters)).status;
}

async function answerOf(
  { gateway, token }: Target,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Response> {
  const response = await fetch(`${gateway.replace(/\/$/, '')}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID(), ...headers },
    ...(body !== undefined && { body }),
  });
  await response.arrayBuffer();
  return response;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function bodies(target: Target): Endpoint[] {
  const paths = [
    '/api/companies/search',
    '/api/observations/search',
    '/api/usages',
    '/api/observations/lookup',
    '/api/diagnostics',
  ];
  return paths.map((path) => ({
    name: `POST ${path}`,
    harmless: '{"query":"a"}',
    shapes: () => bodyShapes(BODY_BYTES),
    send: (body) => call(target, 'POST', path, JSON_TYPE, body),
  }));
}

/** Searches that answer 202 first; sent means that their work is over. */
function inBackground(target: Target): Endpoint[] {
  const first = '{"background":true,';
  return ['/api/companies/search', '/api/observations/search'].map((path) => ({
    name: `POST ${path}, in the background`,
    harmless: '{"query":"a"}',
    shapes: () => bodyShapes(BODY_BYTES - first.length).filter(({ text }) => text.startsWith('{')),
    send: async (body) => {
      let answer = await answerOf(
        target,
        'POST',
        path,
        JSON_TYPE,
        body.replace('{', () => first),
      );
      while (answer.status === 202) {
        await pause(POLL_PAUSE_MS);
        answer = await answerOf(target, 'GET', answer.headers.get('location') ?? '', {});
      }
      return answer.status;
    },
  }));
}

function addresses(target: Target): Endpoint[] {
  const shapes = () => headShapes(ADDRESS_BYTES);
  const many = (member: string, value: string) =>
    Array(Math.floor(ADDRESS_BYTES / (member.length + value.length + 2)))
      .fill(`${member}=${value}`)
      .join('&');
  const lists = [
    ['ids[]', '1'],
    ['domains[]', 'a.b'],
    ['a', ''],
    ['', ''],
  ].map(([member = '', value = '']) => ({ name: `many ${member}`, text: many(member, value) }));
  const get = (name: string, path: (text: string) => string, harmless: string, all = shapes): Endpoint => ({
    name: `GET ${name}`,
    harmless,
    shapes: all,
    send: (text) => call(target, 'GET', path(text), {}),
  });
  return [
    ...['companies', 'usages', 'observations'].map((kind) =>
      get(`/api/${kind}/{id}`, (text) => `/api/${kind}/${text}`, '1'),
    ),
    ...['ids[]', 'domains[]'].map((member) =>
      get(
        `/api/companies?${member}`,
        (text) => `/api/companies?${member}=${text}`,
        member === 'ids[]' ? '1' : 'a.example',
      ),
    ),
    ...['since', 'limit', 'cursor'].map((member) =>
      get(`/api/observations?${member}`, (text) => `/api/observations?domains[]=a.example&${member}=${text}`, '1'),
    ),
    get(
      '/api/companies, many parameters',
      (text) => `/api/companies?${text}`,
      'ids[]=1',
      () => lists,
    ),
    get('/api/usage', (text) => `/api/usage?${text}`, ''),
    get('any other address', (text) => `/${text}`, ''),
  ];
}

function heads(target: Target): Endpoint[] {
  const shapes = () =>
    ['a', ' ', '0', '\u00e9', '"', '\\', '%', 'a ', '\u00cc\u0081\u00cc\u0096'].flatMap((unit) =>
      [1_000, KEY_BYTES].map((size) => ({
        name: `${size} bytes of ${unit}`,
        text: `a${unit.repeat(size / unit.length)}a`,
      })),
    );
  const ascii = () => shapes().filter(({ text }) => !/[^ -~]/.test(text));
  return [
    {
      name: 'Idempotency-Key',
      harmless: 'a',
      shapes,
      send: (key) => call(target, 'GET', '/api/companies?ids[]=1', { 'idempotency-key': `${key}${Math.random()}` }),
    },
    {
      name: 'Authorization',
      harmless: 'Bearer a',
      shapes: ascii,
      send: (text) => call(target, 'GET', '/api/usage', { authorization: `Bearer ${text}` }),
    },
    {
      name: 'Content-Type',
      harmless: 'application/json',
      shapes: ascii,
      send: (text) => call(target, 'POST', '/api/diagnostics', { 'content-type': `application/json;${text}` }, '{}'),
    },
    {
      name: 'traceparent',
      harmless: '00-1',
      shapes: ascii,
      send: (text) => call(target, 'GET', '/api/usage', { traceparent: text }),
    },
  ];
}

function tools(target: Target): Endpoint[] {
  const accept = { accept: 'application/json, text/event-stream' };
  return ['search_companies', 'get_companies'].flatMap((tool) =>
    ['2026-07-28', '2025-11-25'].map((revision): Endpoint => {
      const params = { name: tool, arguments: 'ARGUMENTS' };
      const message =
        revision === '2025-11-25'
          ? {
              json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
              headers: { 'mcp-protocol-version': revision } as Record<string, string>,
            }
          : modernMessage('tools/call', params);
      // Put together as text: some shapes are no JSON of their own.
      const template = JSON.stringify(message.json);
      const withKey = (text: string) =>
        text.startsWith('{') ? text.replace('{', () => `{"request_key":"${randomUUID()}",`) : text;
      return {
        name: `MCP ${tool}, ${revision}`,
        harmless: '{"query":"a"}',
        shapes: () => bodyShapes(MCP_ARGUMENTS_BYTES),
        send: (text) =>
          call(
            target,
            'POST',
            '/mcp',
            { ...JSON_TYPE, ...accept, ...message.headers },
            template.replace('"ARGUMENTS"', () => withKey(text)),
          ),
      };
    }),
  );
}

function methods({ operations, token }: Target): Endpoint[] {
  const client = createRpcClient(OperationsService, { url: operations, timeoutMs: 60_000 });
  const common = () => ({ caller: { identity: { case: 'bearer', value: token } } as const, requestKey: randomUUID() });
  const shapes = () => [...textShapes(MESSAGE_BYTES), ...valueShapes(MESSAGE_BYTES)].filter(({ text }) => isJson(text));
  const of = (name: string, send: (input: Input) => Promise<unknown>): Endpoint => ({
    name: `gRPC ${name}`,
    harmless: '{"query":"a"}',
    shapes,
    send: (text) => send(JSON.parse(text) as Input).then(() => 200, statusOf),
  });
  return [
    of('SubmitCompanySearch', ({ query = 'a', filters, cursor }) =>
      client.submitCompanySearch({
        ...common(),
        input: { query, filters: { domains: filters?.domains ?? [], occurredAfter: filters?.occurred_after }, cursor },
      }),
    ),
    of('SubmitObservationSearch', ({ query = 'a', filters, cursor }) =>
      client.submitObservationSearch({
        ...common(),
        input: { query, filters: { occurredAfter: filters?.occurred_after }, cursor },
      }),
    ),
    of('SubmitCompanyLookup', ({ query = 'a.example', filters, domains }) =>
      client.submitCompanyLookup({ ...common(), input: { domains: domains ?? filters?.domains ?? [query] } }),
    ),
    of('SubmitObservationLookup', ({ query = 'a.example', filters, domains, since = '', cursor }) =>
      client.submitObservationLookup({
        ...common(),
        input: { domains: domains ?? filters?.domains ?? [query], since, cursor },
      }),
    ),
    of('GetOperation', ({ query = 'a' }) =>
      client.getOperation({ caller: { identity: { case: 'bearer', value: query } }, operationId: 1n }),
    ),
    of('a request key', ({ query = 'a' }) =>
      client.submitDiagnostic({ ...common(), requestKey: `${query}${Math.random()}` }),
    ),
  ];
}

/** Whatever else a call ends with is a fault of the server, or an outage. */
const REFUSALS: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.OutOfRange,
  Code.FailedPrecondition,
  Code.NotFound,
  Code.AlreadyExists,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.ResourceExhausted,
]);

/** As the gateway answers: 422 where a call is refused, 500 where it breaks down. */
function statusOf(error: unknown): number {
  if (!(error instanceof ConnectError)) throw error;
  return REFUSALS.has(error.code) ? 422 : 500;
}

interface Input {
  readonly query?: string;
  readonly filters?: { readonly domains?: string[]; readonly occurred_after?: string };
  readonly domains?: string[];
  readonly since?: string;
  readonly cursor?: string;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
