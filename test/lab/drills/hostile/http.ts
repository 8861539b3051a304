import { randomUUID } from 'node:crypto';
import type { Target } from './endpoint.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };

export async function call(...parameters: Parameters<typeof answerOf>): Promise<number> {
  return (await answerOf(...parameters)).status;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function answerOf(
  { gateway, token }: Target,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> {
  const response = await fetch(`${gateway.replace(/\/$/, '')}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID(), ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
