import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { WorkQueue } from './work-queue.ts';

const TIMEOUT_MS = 2_000;
/** JetStream: message, sequence or stream not found, or message delete failed. */
const GONE: ReadonlySet<number> = new Set([10037, 10043, 10057, 10059]);

export async function readMessage(
  connection: NatsConnection,
  { stream }: WorkQueue,
  sequence: number,
): Promise<Uint8Array | undefined> {
  const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS, checkAPI: false });
  return await unlessGone(async () => (await manager.streams.getMessage(stream, { seq: sequence }))?.data);
}

export async function removeMessage(
  connection: NatsConnection,
  { stream }: WorkQueue,
  sequence: number,
): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS, checkAPI: false });
  await unlessGone(() => manager.streams.deleteMessage(stream, sequence, false));
}

async function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof JetStreamApiError && GONE.has(error.code)) return undefined;
    throw error;
  }
}
