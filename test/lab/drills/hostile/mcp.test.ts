import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { TOKEN } from '@ces/gateway/test-support/peers';
import { startScriptedGateway } from '@ces/gateway/test-support/scripted-gateway';
import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { tools } from './mcp.ts';

const SEARCHES = [/search_companies, 2025/, /search_companies, 2026/];

/** The status of a search by the tool, of one revision. */
async function statusOf(name: RegExp, failure?: () => Error): Promise<number | undefined> {
  await using gateway = await startScriptedGateway();
  if (failure)
    gateway.script.next = () => {
      throw failure();
    };
  const target = { gateway: gateway.url, operations: '', token: TOKEN };
  return await tools(target)
    .find((tool) => name.test(tool.name))
    ?.send('{"query":"bids"}');
}

test.each(SEARCHES)('a fault that %s tells of as a result is one, as a status of 500 is', async (name) => {
  expect(await statusOf(name, () => new ConnectError('no', Code.Internal))).toBe(500);
  expect(await statusOf(name, () => fail(FailureCode.SERVICE_UNAVAILABLE, 'Later.'))).toBe(500);
});

test.each(SEARCHES)('what %s answers or refuses is none', async (name) => {
  expect(await statusOf(name)).toBe(200);
  expect(await statusOf(name, () => fail(FailureCode.IDEMPOTENCY_CONFLICT, 'Another.'))).toBe(200);
});
