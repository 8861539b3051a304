import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint, Target } from './endpoint.ts';
import { answerOf, call, JSON_TYPE } from './http.ts';
import { bodyShapes, headShapes } from './shapes.ts';

/** Just below the limits of body and address (gateway/docs/contract.md, Input). */
const BODY_BYTES = 128 * 1024 - 64;
const ADDRESS_BYTES = 8 * 1024 - 100;
/** Stays below five polls a second for one operation (gateway/docs/contract.md). */
const POLL_PAUSE_MS = 250;

export function routes(target: Target): Endpoint[] {
  return [...bodies(target), ...inBackground(target), ...addresses(target)];
}

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

/** Background searches answer 202. `send` resolves when their work has ended. */
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
    ...['since', 'status', 'cursor'].map((member) =>
      get(`/api/usages?${member}`, (text) => `/api/usages?${member}=${text}`, ''),
    ),
    ...['until', 'limit', 'cursor'].map((member) =>
      get(`/api/usage/statement?${member}`, (text) => `/api/usage/statement?${member}=${text}`, ''),
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
