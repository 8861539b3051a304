import { randomUUID } from 'node:crypto';
import type { AnswerBody } from '@ces/gateway/test-support/answer-body';
import type { TestStack } from './stack.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
}

export interface Subscriber {
  readonly token: string;
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly credentialId: bigint;
  /** POST /api/companies/search. Uses a new idempotency key by default. */
  search(body: Readonly<Record<string, unknown>>, key?: string): Promise<Answer>;
  /** GET /api/companies with `ids` or `domains`. */
  lookUp(
    inputs: { readonly ids?: readonly number[]; readonly domains?: readonly string[] },
    key?: string,
  ): Promise<Answer>;
  /** GET /api/usages/{id}. */
  poll(usageId: number): Promise<Answer>;
  /** GET /api/usage. */
  report(): Promise<Answer>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

interface RequestOptions {
  readonly key?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SubscriberOptions {
  readonly plan?: 'builder' | 'professional';
  readonly status?: string;
  readonly testMode?: boolean;
  /** The subscription's own limits, as in ces.ledger.v1.Limits. */
  readonly limits?: Readonly<Record<string, bigint | number>>;
}

export async function createSubscriber(
  stack: Pick<TestStack, 'baseUrl' | 'ledgerAdmin'>,
  options: SubscriberOptions = {},
): Promise<Subscriber> {
  const { account } = await stack.ledgerAdmin.createAccount({ name: 'test', testMode: options.testMode ?? false });
  const accountId = account?.id ?? 0n;
  const { subscription } = await stack.ledgerAdmin.createSubscription({
    accountId,
    plan: options.plan ?? 'professional',
    status: options.status ?? 'active',
    ...(options.limits && { ownLimits: options.limits }),
  });
  const { token, credential } = await stack.ledgerAdmin.issueCredential({ accountId, label: 'test' });
  const ids = { token, accountId, subscriptionId: subscription?.id ?? 0n, credentialId: credential?.id ?? 0n };
  return { ...ids, ...surface(stack.baseUrl, token) };
}

export function surface(
  baseUrl: string,
  token: string,
): Pick<Subscriber, 'search' | 'lookUp' | 'poll' | 'report' | 'request'> {
  const request = async (method: string, path: string, options: RequestOptions = {}): Promise<Answer> => {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(options.key !== undefined && { 'idempotency-key': options.key }),
        ...(options.json !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as AnswerBody };
  };
  return {
    request,
    search: (json, key = randomUUID()) => request('POST', '/api/companies/search', { json, key }),
    lookUp: ({ ids = [], domains = [] }, key = randomUUID()) => {
      const query = new URLSearchParams();
      for (const id of ids) query.append('ids[]', String(id));
      for (const domain of domains) query.append('domains[]', domain);
      return request('GET', `/api/companies?${query}`, { key });
    },
    poll: (usageId) => request('GET', `/api/usages/${usageId}`),
    report: () => request('GET', '/api/usage'),
  };
}
