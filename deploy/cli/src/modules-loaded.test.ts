import { expect, test } from 'vitest';
import { startFakeGateway } from '../test-support/fake-gateway.ts';
import { loadedModules } from '../test-support/loaded-modules.ts';

const RPC = /@bufbuild|@connectrpc|@grpc|@opentelemetry|proto\/gen|\/pg\//;

test.each([
  ['search', 'plants'],
  ['lookup', '1'],
  ['observations', '1'],
  ['usage'],
  ['usages'],
  ['statement'],
  ['wait', '1'],
  ['watch', 'plants', '--yes', '--max-units', '1'],
])('a verb of a subscriber loads no code of RPCs: ces %s', async (...argv) => {
  const body = { error: { code: 'usage_not_found', message: 'There is none.' } };
  await using gateway = await startFakeGateway(() => ({ status: 404, body }));
  const loaded = await loadedModules(argv, {
    CES_GATEWAY_URL: gateway.url,
    CES_TOKEN: 'x',
    CES_DATA_DIR: '/nonexistent',
  });
  expect(loaded.filter((url) => RPC.test(url))).toEqual([]);
  expect(loaded.some((url) => url.endsWith(`/commands/${argv[0]}.ts`))).toBe(true);
});

test('help and version load the code of no verb', async () => {
  for (const argv of [['--help'], ['--version']]) {
    const loaded = await loadedModules(argv, {});
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((url) => url.includes('/commands/') || RPC.test(url))).toEqual([]);
  }
});
