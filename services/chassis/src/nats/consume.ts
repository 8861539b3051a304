import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { Logger } from '../telemetry/log.ts';
import { contextOf, inSpan, linksTo, SpanKind } from '../telemetry/span.ts';
import { type MessageOutcome, messagingAttributes, TRACEPARENT, type WorkQueue } from './work-queue.ts';

const MANAGE_TIMEOUT_MS = 2_000;
const RETRY_PAUSE_MS = 1_000;

interface ConsumeOptions {
  readonly established: Promise<NatsConnection | undefined>;
  readonly queue: WorkQueue;
  readonly concurrency: number;
  readonly onMessage: (payload: Uint8Array, working: () => void) => Promise<MessageOutcome>;
  readonly whenReady: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly logger: Logger;
  readonly replicas: number;
}

export function consumeQueue(options: ConsumeOptions): AsyncDisposable {
  const closing = new AbortController();
  const inHand = new Set<Promise<void>>();
  let messages: ConsumerMessages | undefined;
  const loop = (async () => {
    const connection = await Promise.race([options.established, ended(closing.signal)]);
    while (connection && !closing.signal.aborted) {
      try {
        const consumer = await openConsumer(connection, options);
        if (closing.signal.aborted) break;
        if (options.whenReady) await takeOneByOne(consumer, options, options.whenReady, closing.signal);
        else {
          messages = await startMessages(consumer, options);
          if (closing.signal.aborted) break;
          await takeMessages(messages, options, inHand, closing.signal);
        }
      } catch (error) {
        options.logger.warn({ err: error, stream: options.queue.stream }, 'consuming interrupted; trying on');
      }
      await pause(RETRY_PAUSE_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      messages?.stop();
      await loop;
      await Promise.allSettled(inHand);
    },
  };
}

/** Lets disposal end while the broker has never been reached. */
function ended(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

async function openConsumer(connection: NatsConnection, options: ConsumeOptions): Promise<Consumer> {
  const manager = await jetstreamManager(connection, { timeout: MANAGE_TIMEOUT_MS });
  await ensureQueue(manager, options);
  return await jetstream(connection).consumers.get(options.queue.stream, options.queue.consumer);
}

async function startMessages(consumer: Consumer, options: ConsumeOptions): Promise<ConsumerMessages> {
  const messages = await consumer.consume({ max_messages: options.concurrency, expires: 5_000, idle_heartbeat: 1_000 });
  void stopWhenGone(messages);
  return messages;
}

/** The iterator waits forever after its consumer or stream is deleted. */
async function stopWhenGone(messages: ConsumerMessages): Promise<void> {
  let missed = 0;
  for await (const status of messages.status()) {
    if (status.type === 'heartbeats_missed') missed = status.count;
    const gone =
      status.type === 'consumer_deleted' || status.type === 'consumer_not_found' || status.type === 'stream_not_found';
    if (gone || missed >= 3) messages.stop();
  }
}

async function ensureQueue(manager: JetStreamManager, options: ConsumeOptions): Promise<void> {
  const { queue, replicas } = options;
  const subjects = [...(queue.subjects ?? [queue.subject])];
  const found = await manager.streams.info(queue.stream).catch(() => undefined);
  if (!found)
    await manager.streams.add({
      name: queue.stream,
      subjects,
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      max_msgs: 1_000_000,
      num_replicas: replicas,
    });
  else await adjust(manager, found.config, subjects, options);
  await manager.consumers.add(queue.stream, {
    durable_name: queue.consumer,
    ack_policy: AckPolicy.Explicit,
    ack_wait: queue.ackWaitMs * 1_000_000,
    max_deliver: -1,
  });
}

/** A failed change is only logged, because messages can be processed anyway. */
async function adjust(
  manager: JetStreamManager,
  found: StreamConfig,
  subjects: readonly string[],
  { queue, replicas, logger }: ConsumeOptions,
): Promise<void> {
  const all = [...new Set([...found.subjects, ...subjects])];
  const changes = [
    ...(all.length > found.subjects.length ? [{ subjects: all }] : []),
    ...(found.num_replicas === replicas ? [] : [{ num_replicas: replicas }]),
  ];
  for (const change of changes)
    await manager.streams.update(queue.stream, change).catch((error: unknown) => {
      logger.warn({ err: error, stream: queue.stream, change }, 'stream not changed');
    });
}

const PULL_MS = 1_000;

async function takeOneByOne(
  consumer: Consumer,
  options: ConsumeOptions,
  whenReady: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await whenReady(signal);
    if (signal.aborted) break;
    const message = await consumer.next({ expires: PULL_MS });
    if (message) await processMessage(message, options);
  }
}

async function takeMessages(
  messages: ConsumerMessages,
  options: ConsumeOptions,
  inHand: Set<Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    if (signal.aborted) break;
    const work = processMessage(message, options).finally(() => inHand.delete(work));
    inHand.add(work);
    while (inHand.size >= options.concurrency) await Promise.race(inHand);
  }
}

/** A redelivery starts a new trace with a link to the publisher's. */
async function processMessage(message: JsMsg, options: ConsumeOptions): Promise<void> {
  const published = contextOf(message.headers?.get(TRACEPARENT));
  const cause =
    message.info.deliveryCount > 1 ? { parent: ROOT_CONTEXT, links: linksTo(published) } : { parent: published };
  const attributes = {
    ...messagingAttributes(options.queue),
    'messaging.nats.delivery_count': message.info.deliveryCount,
  };
  await inSpan(`process ${options.queue.subject}`, { kind: SpanKind.CONSUMER, attributes, ...cause }, () =>
    handleMessage(message, options),
  );
}

async function handleMessage(message: JsMsg, options: ConsumeOptions): Promise<void> {
  try {
    const outcome = await options.onMessage(message.data, () => message.working());
    if (outcome.kind === 'done') message.ack();
    else message.nak(outcome.afterMs);
  } catch (error) {
    options.logger.error({ err: error, stream: options.queue.stream }, 'message not processed');
    message.nak(RETRY_PAUSE_MS);
  }
}
