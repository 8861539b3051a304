import type { Action, Attempt, Body, Outcome } from './attempt.ts';
import type { Account } from './subscribers.ts';

export interface Door {
  readonly baseUrl: string;
  readonly surface: 'rest' | 'mcp';
  readonly token: string;
  readonly accountId: bigint;
}

/** REST with every credential at every gateway. */
export function doorsOf(gateways: readonly string[], accounts: readonly Account[]): Door[] {
  return gateways.flatMap((baseUrl) =>
    accounts.flatMap(({ accountId, tokens }) =>
      tokens.map((token): Door => ({ baseUrl, token, accountId, surface: 'rest' })),
    ),
  );
}

export type Input = Readonly<Record<string, unknown>>;

const PATIENCE_MS = 45_000;

/** POST /api/companies/search, or the tool `search_companies`. */
export function search(door: Door, input: Input, key: string): Promise<Attempt> {
  // Synchronous and background calls with one idempotency key are one operation.
  const { background: _, ...form } = input;
  const call =
    door.surface === 'mcp'
      ? callTool(door, 'search_companies', { ...input, request_key: key })
      : callRest(door, 'POST', '/api/companies/search', { key, json: input });
  return attempt(door, 'company_search', call, key, JSON.stringify(form));
}

/** GET /api/companies, or the tool `get_companies`. */
export function lookUp(door: Door, domains: readonly string[], key: string): Promise<Attempt> {
  const query = new URLSearchParams(domains.map((domain): [string, string] => ['domains[]', domain]));
  const call =
    door.surface === 'mcp'
      ? callTool(door, 'get_companies', { domains, request_key: key })
      : callRest(door, 'GET', `/api/companies?${query}`, { key });
  return attempt(door, 'company_lookup', call, key, JSON.stringify(domains));
}

/** GET /api/usages/{id}, which only REST offers. */
export function poll(door: Door, usageId: number): Promise<Attempt> {
  return attempt({ ...door, surface: 'rest' }, 'poll', callRest(door, 'GET', `/api/usages/${usageId}`));
}

export function report(door: Door): Promise<Attempt> {
  return attempt({ ...door, surface: 'rest' }, 'report', callRest(door, 'GET', '/api/usage'));
}

async function attempt(
  { surface, accountId }: Door,
  action: Action,
  call: Promise<Outcome>,
  key?: string,
  input?: string,
): Promise<Attempt> {
  const sentAt = Date.now();
  const outcome = await call;
  const named = { ...(key !== undefined && { key }), ...(input !== undefined && { input }) };
  return { sentAt, receivedAt: Date.now(), surface, accountId, action, ...named, outcome };
}

async function callRest(
  { baseUrl, token }: Door,
  method: string,
  path: string,
  options: { readonly key?: string; readonly json?: unknown } = {},
): Promise<Outcome> {
  return await answerOf(baseUrl, path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(options.key !== undefined && { 'idempotency-key': options.key }),
      ...(options.json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
  });
}

async function callTool({ baseUrl, token }: Door, name: string, parameters: Input): Promise<Outcome> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const outcome = await answerOf(baseUrl, '/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: parameters, _meta },
    }),
  });
  return outcome.kind === 'answer' ? toolOutcome(outcome) : outcome;
}

function toolOutcome(outcome: Outcome & { kind: 'answer' }): Outcome {
  const { result } = outcome.body as { result?: { structuredContent?: Body; _meta?: Record<string, unknown> } };
  if (!result?.structuredContent) return outcome;
  const body = result.structuredContent;
  const status = body.error ? statusOf(body.error.code) : body.usage?.status === 'delivered' ? 200 : 202;
  return { kind: 'answer', status, body, retryAfter: result._meta?.['retry-after'] !== undefined };
}

function statusOf(code: string): number {
  switch (code) {
    case 'invalid_api_key':
      return 401;
    case 'subscription_required':
      return 402;
    case 'request_limit_reached':
    case 'rate_limited':
      return 429;
    case 'service_unavailable':
      return 503;
    case 'internal_error':
      return 500;
    default:
      return 422;
  }
}

async function answerOf(baseUrl: string, path: string, init: RequestInit): Promise<Outcome> {
  try {
    const response = await fetch(new URL(path, baseUrl), { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    const body = (await response.json()) as Body;
    return { kind: 'answer', status: response.status, body, retryAfter: response.headers.has('retry-after') };
  } catch (error) {
    const { cause, message } = error as Error;
    return { kind: 'lost', reason: cause instanceof Error ? cause.message : message };
  }
}
