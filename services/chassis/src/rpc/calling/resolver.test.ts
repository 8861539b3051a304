import { Client, connectivityState, credentials } from '@grpc/grpc-js';
import { expect, test, vi } from 'vitest';
import { acceptTokens } from '../../../test-support/accept-tokens.ts';
import { createLogger } from '../../telemetry/log.ts';
import { startRpcServer } from '../server.ts';
import { WATCHED_NAME } from './resolver.ts';

/** The minimum that grpc-js accepts, in milliseconds. */
const IDLE_MS = 1_000;

test('a channel that has fallen idle reaches its service again', async () => {
  await using server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: () => undefined,
    callers: {},
    callerTokens: acceptTokens({}),
    logger: createLogger('test', 'silent'),
  });
  const client = new Client(`${WATCHED_NAME}:${new URL(server.url).host}`, credentials.createInsecure(), {
    'grpc.client_idle_timeout_ms': IDLE_MS,
  });
  const ready = async () =>
    await new Promise<void>((resolve, reject) =>
      client.waitForReady(Date.now() + 3_000, (error) => (error ? reject(error) : resolve())),
    );
  try {
    await ready();
    const state = () => client.getChannel().getConnectivityState(false);
    await vi.waitFor(() => expect(state()).toBe(connectivityState.IDLE), { timeout: 60_000 });
    await ready();
  } finally {
    client.close();
  }
});
