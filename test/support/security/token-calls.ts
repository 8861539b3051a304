import { randomUUID } from 'node:crypto';
import http from 'node:http';

export interface CallAnswer {
  readonly what: string;
  readonly status: number;
  readonly bytes: Buffer;
}

export interface TokenCall {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export function makeCall(baseUrl: string, { what, method, path, headers = {}, body }: TokenCall): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const request = http.request({
      hostname,
      port,
      method,
      path,
      headers: headers as http.OutgoingHttpHeaders,
      agent: false,
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      const chunks: Buffer[] = [Buffer.from(`${response.rawHeaders.join('\n')}\n\n`)];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ what, status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) });
    });
    request.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const SEARCH = '/api/companies/search';

export function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

/** Valid calls of every route and both tools. Unpaid, limited and test accounts make them too. */
export function goodCalls(token: string): readonly TokenCall[] {
  const post = (path: string, json: unknown): TokenCall => ({
    what: `POST ${path}`,
    method: 'POST',
    path,
    headers: { ...bearer(token), ...JSON_TYPE, 'idempotency-key': randomUUID() },
    body: JSON.stringify(json),
  });
  const get = (path: string): TokenCall => ({
    what: `GET ${path}`,
    method: 'GET',
    path,
    headers: { ...bearer(token), 'idempotency-key': randomUUID() },
  });
  const since = '2020-01-01T00:00:00Z';
  return [
    post(SEARCH, { query: 'bakery', limit: 3 }),
    post(SEARCH, { query: 'bakery', background: true }),
    ...['planning_unavailable', 'failed', 'limit_reached'].map((name) => post(SEARCH, { query: `sandbox:${name}` })),
    post('/api/observations/search', { query: 'bakery' }),
    post('/api/usages', { query: 'bakery' }),
    post('/api/observations/lookup', { domains: ['base1x1.example'], since }),
    post('/api/diagnostics', {}),
    get('/api/companies?domains[]=base1x1.example'),
    get('/api/companies/1'),
    get('/api/companies/999999'),
    get('/api/observations/1'),
    get('/api/observations?domains[]=base1x1.example&since=2020-01-01T00:00:00Z'),
    get('/api/usages/1'),
    get('/api/usages/999999'),
    get('/api/usage'),
    get('/api/usages'),
    get('/api/usage/statement'),
    ...toolCalls(bearer(token), { query: 'bakery', request_key: randomUUID() }),
  ];
}

function toolCalls(headers: Readonly<Record<string, string>>, args: unknown): readonly TokenCall[] {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const message = (method: string, params: object, name?: string): TokenCall => ({
    what: `MCP ${method} ${name ?? ''}`,
    method: 'POST',
    path: '/mcp',
    headers: {
      ...headers,
      ...JSON_TYPE,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  return [
    message('tools/list', {}),
    message('tools/call', { name: 'search_companies', arguments: args }, 'search_companies'),
    message('tools/call', { name: 'get_companies', arguments: args }, 'get_companies'),
  ];
}

export function misplaced(token: string, right: string): readonly TokenCall[] {
  const inHeader = (headers: Record<string, string | readonly string[]>): TokenCall => ({
    what: `header ${Object.keys(headers)}`,
    method: 'GET',
    path: '/api/usage',
    headers,
  });
  const inPath = (path: string, headers: Record<string, string> = {}): TokenCall => ({
    what: `address ${path.replace(token, '…')}`,
    method: 'GET',
    path,
    headers: { 'idempotency-key': randomUUID(), ...headers },
  });
  const inBody = (body: string, path = SEARCH): TokenCall => ({
    what: `body ${body.replaceAll(token, '…')}`,
    method: 'POST',
    path,
    headers: { ...bearer(right), ...JSON_TYPE, 'idempotency-key': randomUUID() },
    body,
  });
  return [
    inHeader({ authorization: token }),
    inHeader({ authorization: `Token ${token}` }),
    inHeader({ authorization: `Bearer ${token} ${token}` }),
    inHeader({ authorization: `Bearer "${token}"` }),
    inHeader({ authorization: `Bearer ${token}%00` }),
    inHeader({ authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }),
    inHeader({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
    inHeader({ 'x-api-key': token, cookie: `key=${token}` }),
    inHeader({
      ...bearer(right),
      traceparent: token,
      tracestate: `ces=${token}`,
      'x-request-id': token,
      origin: token,
    }),
    inHeader({ ...bearer(right), host: token, 'user-agent': token, referer: `https://x.example/${token}` }),
    inHeader({ [`x-${token}`]: '1', 'x-ces-caller-token': token }),
    ...[{}, bearer(right)].flatMap((headers) => [
      inPath(`/api/usage?access_token=${token}`, headers),
      inPath(`/api/usage?${token}=1`, headers),
      inPath(`/api/companies?ids[]=${token}`, headers),
      inPath(`/api/companies?domains[]=${token}`, headers),
      inPath(`/api/usages/${token}`, headers),
      inPath(`/api/companies/${token}`, headers),
      inPath(`/api/${token}`, headers),
      inPath(`/${token}`, headers),
      inPath(`/api/%zz${token}`, headers),
    ]),
    inBody(JSON.stringify({ query: 'bakery', token })),
    inBody(JSON.stringify({ query: 'bakery', [token]: 1 })),
    inBody(JSON.stringify({ query: 'bakery', limit: token })),
    inBody(JSON.stringify({ query: 'bakery', cursor: token })),
    inBody(JSON.stringify({ query: 'bakery', filters: { countries: [token], domains: [`${token}.`] } })),
    inBody(JSON.stringify({ query: 'bakery', filters: { occurred_after: token } })),
    inBody(`{"query": ${token}`),
    inBody(`${token}`),
    inBody(JSON.stringify({ domains: [token], since: token }), '/api/observations/lookup'),
    inBody(JSON.stringify({ jsonrpc: '2.0', id: 1, method: token, params: {} }), '/mcp'),
    ...toolCalls(bearer(right), { query: 'bakery', limit: token, request_key: randomUUID() }),
    ...toolCalls(bearer(right), { query: 'bakery', [token]: 1, request_key: randomUUID() }),
    ...toolCalls(bearer(right), { domains: [token], request_key: randomUUID() }),
    ...toolCalls({ ...bearer(right), 'mcp-session-id': token }, { query: '', request_key: [token] }),
  ];
}
