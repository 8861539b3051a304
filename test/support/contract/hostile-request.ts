import { randomUUID } from 'node:crypto';
import type { AnswerBody } from '@ces/gateway/test-support/answer-body';
import fc from 'fast-check';
import type { Answer } from '../subscriber.ts';

export interface HostileRequest {
  readonly path: string;
  /** The Idempotency-Key. Null sends none, undefined a new one. */
  readonly key?: string | null | undefined;
  readonly body?: { readonly bytes: string | Uint8Array<ArrayBuffer>; readonly type: string } | undefined;
  readonly authorization?: string | undefined;
}

const JSON_TYPE = 'application/json';

const sendable = (text: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(latin1(text));

function keyFor(endpoint: string): fc.Arbitrary<string | null | undefined> {
  const again = [`again: ${endpoint}`, ` again: ${endpoint} `, `noch einmal: ü ${endpoint}`];
  const named = (text: string) => `${endpoint}${text}`;
  const odd = fc.constantFrom(null, '', ' ', '\u0085', named('x'.repeat(900)), 'x'.repeat(1025));
  return fc.oneof(
    { weight: 40, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: fc.constantFrom(...again) },
    { weight: 1, arbitrary: fc.oneof(odd, fc.string({ unit: 'binary' }).filter(sendable).map(named)) },
  );
}

const authorization = fc.oneof(
  { weight: 60, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('', 'Bearer', 'Bearer x', 'Basic eA==', `Bearer ${'x'.repeat(600)}`) },
);
const type = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(JSON_TYPE, 'Application/JSON; charset=UTF-8') },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', 'application/x-json') },
);

function bytesOf(json: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const whole = json.map((value) => JSON.stringify(value) ?? 'null');
  const patch = fc.constantFrom(
    '',
    '{',
    '"',
    ',"query":"x"',
    '"__proto__":1,',
    '\u0000',
    '1e400',
    '['.repeat(20),
    '\\ud800',
  );
  const spoilt = fc
    .tuple(whole, fc.nat(200), fc.nat(4), patch)
    .map(([text, at, length, insert]) => text.slice(0, at) + insert + text.slice(at + length));
  return fc.oneof(
    { weight: 40, arbitrary: whole },
    { weight: 3, arbitrary: spoilt },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)) },
    { weight: 1, arbitrary: fc.constantFrom('', ' '.repeat(131_073), '[]', 'null') },
  );
}

export function hostilePost(path: string, json: fc.Arbitrary<unknown>): fc.Arbitrary<HostileRequest> {
  const body = fc.record({ bytes: bytesOf(json), type });
  return fc.record({ path: fc.constant(path), key: keyFor(path), body, authorization });
}

export function hostileGet(endpoint: string, path: fc.Arbitrary<string>): fc.Arbitrary<HostileRequest> {
  return fc.record({ path, key: keyFor(endpoint), authorization });
}

export async function send(baseUrl: string, token: string, method: string, request: HostileRequest): Promise<Answer> {
  const name = request.key === undefined ? randomUUID() : request.key;
  const response = await fetch(new URL(request.path, baseUrl), {
    method,
    headers: {
      authorization: request.authorization ?? `Bearer ${token}`,
      ...(name !== null && { 'idempotency-key': latin1(name) }),
      ...(request.body && { 'content-type': request.body.type }),
    },
    ...(request.body && { body: request.body.bytes }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as AnswerBody };
}

/** Encodes each UTF-8 byte as one character, because fetch sends headers as Latin-1. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
