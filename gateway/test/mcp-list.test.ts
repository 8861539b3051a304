import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FACTS } from '../src/schema/facts.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { connectMcp, type McpSession, REVISIONS } from '../test-support/mcp-client.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({});
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe.each(REVISIONS)('for a client of revision %s', (revision) => {
  let session: McpSession;
  beforeAll(async () => {
    session = await connectMcp(gateway.url, revision);
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
  });

  test('each tool states its purpose, its effects and the limits of its results', async () => {
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      [
        'search_companies',
        expect.objectContaining({
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        }),
      ],
      [
        'get_companies',
        expect.objectContaining({
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        }),
      ],
    ]);
    for (const { title, description, inputSchema, outputSchema } of tools) {
      expect(title).toBeTypeOf('string');
      expect(description?.length).toBeLessThanOrEqual(1_200);
      for (const fact of FACTS) expect(description).toContain(fact);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(inputSchema.required).toContain('request_key');
      expect(outputSchema).toMatchObject({ type: 'object', oneOf: [{}, { title: 'Pending' }, { title: 'ErrorBody' }] });
    }
  });

  test('a tool that is not there is -32602', async () => {
    await expect(session.call('nothing', {})).rejects.toMatchObject({ code: -32602 });
  });
});

test('both revisions see the same tools', async () => {
  const [modern, legacy] = await Promise.all(
    REVISIONS.map(async (revision) => {
      await using session = await connectMcp(gateway.url, revision);
      return (await session.client.listTools()).tools;
    }),
  );
  expect(modern).toEqual(legacy);
});
