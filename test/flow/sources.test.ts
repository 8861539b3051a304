import { sources } from '@ces/acquisition/sources/registry';
import { SOURCES } from '@ces/gateway/rest/pages/sources';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';

interface Listed {
  readonly name: string;
  readonly publisher: string;
  readonly licence: string;
  readonly licence_url?: string;
  readonly attribution: string;
}

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ acquisition: {} });
});
afterAll(() => stack[Symbol.asyncDispose]());

async function listed(): Promise<Listed[]> {
  const answer = await fetch(`${stack.baseUrl}/sources`, { headers: { accept: 'application/json' } });
  const body = (await answer.json()) as { sources: Listed[] };
  return body.sources;
}

test('the list names every registered source by its terms, the data sets that may be imported, and nothing else', async () => {
  const names = async () => (await listed()).map(({ name }) => name).sort();
  const expected = [...sources.map(({ title }) => title), ...SOURCES.map(({ name }) => name)].sort();
  await expect.poll(names, { timeout: 60_000, interval: 500 }).toEqual(expected);
  const byName = new Map((await listed()).map((one) => [one.name, one]));
  for (const { title, publisher = title, licence } of sources)
    expect(byName.get(title)).toMatchObject({
      publisher,
      licence: licence.name,
      licence_url: licence.uri,
      attribution: licence.attribution,
    });
});
