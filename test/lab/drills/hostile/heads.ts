import type { Endpoint, Target } from './endpoint.ts';
import { call } from './http.ts';

/** Leaves room in the header limit for the other headers. */
const KEY_BYTES = 14 * 1024;

export function heads(target: Target): Endpoint[] {
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
