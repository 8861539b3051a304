import type { TObject } from 'typebox';
import type { Config } from '../../config.ts';
import { headTimeoutMs, MAX_ADDRESS_BYTES, MAX_BODY_BYTES, MAX_HEAD_BYTES } from '../../http/bounds.ts';
import { ERROR_CODES } from '../../schema/error.ts';
import { FACTS } from '../../schema/facts.ts';
import { type Endpoint, needsKey, type Route } from '../route.ts';
import { type JsonObject, SchemaComponents } from './components.ts';
import { REQUEST_EXAMPLES } from './examples.ts';
import { HEADERS } from './headers.ts';
import { responsesOf } from './responses.ts';

const TAGS: Record<Endpoint['tag'], string> = {
  Search: 'Companies and observations that match a query and filters.',
  'Look-up': 'Known companies and what was recorded about them; no provider call, no AI call, no new data.',
  Usage: 'Operations and the allowance they share.',
  Diagnostics: 'Whether credential, subscription and service work.',
};

const SANDBOX_OUTCOMES: readonly (readonly [query: string, outcome: string])[] = [
  [
    'sandbox:planning_unavailable',
    '422 `planning_unavailable`, a stored failure: repeats and polls answer the same, nothing is settled',
  ],
  ['sandbox:failed', '422 `search_failed`, a stored failure like it'],
  [
    'sandbox:slow',
    '202 for half a minute and longer than a call waits, then the result of that query, which finds nothing',
  ],
  [
    'sandbox:limit_reached',
    '429 `request_limit_reached` with `retry_at` in a minute; no operation is created and the key stays free',
  ],
];

const SANDBOX = [
  'A `ces_test_` credential belongs to an account of its own with the numbers of `builder`, reads the same record and is metered alike. To it the exact queries below answer as written, in company and observation searches, over REST and MCP; to a `ces_live_` credential they are queries like any other.',
  `| query | answer |\n|---|---|\n${SANDBOX_OUTCOMES.map(([query, outcome]) => `| \`${query}\` | ${outcome} |`).join('\n')}`,
].join('\n\n');

export function buildOpenApiDocument(routes: readonly Route[], config: Config): JsonObject {
  const components = new SchemaComponents();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Company Evidence Search',
      version: '1.0.0',
      summary: 'Dated, evidence-backed observations about companies in Canada and the United States.',
      description: describeService(config),
      license: { name: 'Proprietary; each source under its own licence', url: '/sources' },
    },
    servers: [{ url: config.publicUrl ?? '/' }],
    security: SECURITY,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An account-scoped credential; keep it server-side.' },
      },
      parameters: { 'Idempotency-Key': IDEMPOTENCY_KEY_PARAMETER },
      headers: HEADERS,
      schemas: components.all(),
    },
  };
}

const SECURITY: readonly JsonObject[] = [{ bearer: [] }];

const IDEMPOTENCY_KEY_PARAMETER: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Names the operation: the same account, action, key and normalised input are one operation, here and over MCP, synchronous and in the background. Reuse it only for identical retries; each page and all new work needs a new one. UTF-8, no control characters.',
  schema: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' },
  example: '3f6c2b1e-search-page-1',
};

function operationOf(route: Route, components: SchemaComponents): JsonObject {
  const { endpoint } = route;
  const parameters = [
    ...(needsKey(endpoint) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...parametersOf(endpoint.path, 'path', components),
    ...parametersOf(endpoint.query, 'query', components),
  ];
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: [endpoint.tag],
    ...(endpoint.successor !== undefined && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: requestBodyOf(endpoint.operationId, endpoint.body, components) }),
    responses: responsesOf(route, components),
    // Generators that work by operation ignore the document's `security`.
    security: SECURITY,
  };
}

function parametersOf(
  schema: TObject | undefined,
  location: 'path' | 'query',
  components: SchemaComponents,
): JsonObject[] {
  const required: readonly string[] = schema?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...shape } = components.refer(property);
    const array = shape.type === 'array' ? { style: 'form', explode: true } : {};
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      ...array,
      schema: shape,
    };
  });
}

function requestBodyOf(
  operationId: string,
  body: NonNullable<Endpoint['body']>,
  components: SchemaComponents,
): JsonObject {
  const example: JsonObject = JSON.parse(JSON.stringify(REQUEST_EXAMPLES[operationId] ?? {}));
  return {
    required: body.required,
    content: { 'application/json': { schema: components.refer(body.schema), example } },
  };
}

function describeService(config: Config): string {
  const codes = Object.entries(ERROR_CODES).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  return [
    FACTS.map((fact) => `- ${fact}`).join('\n'),
    'Input is strict: no coercion, no unknown field or query parameter, `null` is never accepted, whole numbers up to 2^53 - 1, no duplicate keys, at most 16 levels. A refusal creates no operation, spends nothing and leaves the key free.',
    'Work is metered in request units, delivered units (distinct companies) and fresh-evidence units, within what `GET /api/usage` reports. Polls, lists of usages, usage reports, statements, single observations and identical retries are free.',
    `Whatever the allowance, there are at most\n${limitsOf(config)
      .map((limit) => `- ${limit}`)
      .join('\n')}`,
    `A call refused for how many there are is answered after about ${config.rejectionDelayMs} ms; then wait as long as \`Retry-After\` says.`,
    'Response objects stay closed within 1.x; endpoints, optional request fields, headers and values of `code`, `stop_reason` and `limitations` may be added.',
    'Every error has the Error body. Check `error.code`, not only the status.',
    `| status | code | when |\n|---|---|---|\n${codes.join('\n')}`,
    SANDBOX,
  ].join('\n\n');
}

function limitsOf(config: Config): readonly string[] {
  return [
    `${config.credentialCallsPerSecond} calls a second with a credential, ${config.credentialBurst} at once (429 \`rate_limited\`)`,
    `${config.pollsPerSecond} polls a second of an operation (429 \`rate_limited\`)`,
    `${config.accountPagesPerSecond} pages a second of usages and statements of an account (429 \`rate_limited\`)`,
    `${config.accountObservationsPerHour} reads of single observations an hour by an account (429 \`rate_limited\`)`,
    `${config.addressFailuresPerSecond} failed authentications a second from an address (429 \`rate_limited\`)`,
    `${config.accountCallsInFlight} calls in flight of an account (503 \`service_unavailable\`)`,
    `${config.burstWaitMs} ms of waiting for the turn of the account, shared by all accounts whose calls wait, and ${config.callWaitMs} at least (503 \`service_unavailable\`)`,
    `${MAX_BODY_BYTES} bytes in a body (413), ${MAX_ADDRESS_BYTES} in an address (414), ${MAX_HEAD_BYTES} in all before the body (431)`,
    `${config.requestTimeoutMs / 1000} s for a request to arrive, ${headTimeoutMs(config) / 1000} s of them for its head (408)`,
  ];
}
