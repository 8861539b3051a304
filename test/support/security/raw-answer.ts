import type { McpCall } from './owned.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly key?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const NEW_EVERY_TIME = new Set(['date', 'x-request-id', 'traceparent']);

export async function callRaw(baseUrl: string, call: RawCall): Promise<RawAnswer> {
  const response = await fetch(new URL(call.path, baseUrl), {
    method: call.method,
    headers: {
      authorization: `Bearer ${call.token}`,
      ...(call.key !== undefined && { 'idempotency-key': call.key }),
      ...(call.json !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(call.json !== undefined && { body: JSON.stringify(call.json) }),
  });
  const headers = [...response.headers].filter(([name]) => !NEW_EVERY_TIME.has(name));
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
}

/** Calls a tool and returns the raw answer. Blanks the ids of the request in `_meta`. */
export async function callRawTool(baseUrl: string, { token, name, args }: McpCall): Promise<RawAnswer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const answer = await callRaw(baseUrl, {
    method: 'POST',
    path: '/mcp',
    token,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  });
  return { ...answer, body: answer.body.replace(/"(x-request-id|traceparent)":"[^"]*"/g, '"$1":""') };
}
