import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { Logger } from './log.ts';
import { activeTraceparent, contextOf, inSpan, linksTo, SpanKind } from './telemetry/span.ts';

/** A work-queue stream with one durable consumer: a list of bells to be answered once each. */
export interface BellQueue {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  /** How long one bell may be worked on before it rings again, in milliseconds. */
  readonly ackWaitMs: number;
}

/** What became of a bell: answered, or to ring again after a while. */
export type BellOutcome = { readonly kind: 'done' } | { readonly kind: 'again'; readonly afterMs: number };

/** NATS as a doorbell. Nothing here is the truth, and a service serves without it (reliability.md 0.1, R7, R8). */
export interface Broker extends AsyncDisposable {
  isConnected(): boolean;
  /**
   * Rings durably; rejects when the server did not confirm, and the outbox tries again. The bell carries the trace that
   * `traceparent` names; default: the present one.
   */
  ring(queue: BellQueue, payload: Uint8Array, messageId: string, traceparent?: string): Promise<void>;
  /** Tells whoever listens now; lost without trace when nobody does or the server is away. */
  tell(subject: string, payload?: Uint8Array): void;
  /** Listens until disposed; the subscription survives reconnects. */
  listen(subject: string, onMessage: (payload: Uint8Array, subject: string) => void): Disposable;
  /** Answers bells, at most `concurrency` at once; makes stream and consumer, again whenever they are gone. */
  answer(
    queue: BellQueue,
    concurrency: number,
    onBell: (payload: Uint8Array, working: () => void) => Promise<BellOutcome>,
  ): AsyncDisposable;
}

const PUBLISH_TIMEOUT_MS = 2_000;
const RETRY_PAUSE_MS = 1_000;
const TRACEPARENT = 'traceparent';

/** Connects in the background and never gives up. */
export function startBroker(url: string, name: string, logger: Logger): Broker {
  const closing = new AbortController();
  let current: NatsConnection | undefined;
  let connected = false;
  const established = establish(url, name, closing.signal, logger).then((connection) => {
    if (!connection) return undefined;
    current = connection;
    connected = true;
    void watchConnection(connection, logger, (value) => {
      connected = value;
    });
    return connection;
  });
  return {
    isConnected: () => connected,
    async ring(queue, payload, messageId, traceparent) {
      if (!current || !connected) throw new Error('the broker is not connected');
      const client = jetstream(current, { timeout: PUBLISH_TIMEOUT_MS });
      const parent = traceparent === undefined ? undefined : contextOf(traceparent);
      await inSpan(
        `send ${queue.subject}`,
        { kind: SpanKind.PRODUCER, attributes: about(queue), ...(parent && { parent }) },
        () =>
          client.publish(queue.subject, payload, {
            msgID: messageId,
            timeout: PUBLISH_TIMEOUT_MS,
            headers: traceHeaders(),
          }),
      );
    },
    tell(subject, payload) {
      if (current && connected) current.publish(subject, payload);
    },
    listen: (subject, onMessage) => listenOn(established, subject, onMessage),
    answer: (queue, concurrency, onBell) => answerBells({ established, queue, concurrency, onBell, logger }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      const connection = await established;
      await connection?.close();
    },
  };
}

async function establish(
  url: string,
  name: string,
  signal: AbortSignal,
  logger: Logger,
): Promise<NatsConnection | undefined> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      return await connect({ servers: url, name, maxReconnectAttempts: -1, reconnectTimeWait: 500, timeout: 3_000 });
    } catch (error) {
      if (attempt % 30 === 0) logger.warn({ err: error }, 'broker not reachable; trying on');
      await pause(RETRY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

async function watchConnection(
  connection: NatsConnection,
  logger: Logger,
  setConnected: (value: boolean) => void,
): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      setConnected(false);
      logger.warn('broker connection lost; trying on');
    } else if (status.type === 'reconnect') {
      setConnected(true);
      logger.info('broker connection is back');
    }
  }
}

function listenOn(
  established: Promise<NatsConnection | undefined>,
  subject: string,
  onMessage: (payload: Uint8Array, subject: string) => void,
): Disposable {
  let stop = () => {
    stopped = true;
  };
  let stopped = false;
  void established.then((connection) => {
    if (!connection || stopped) return;
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) onMessage(message.data, message.subject);
      },
    });
    stop = () => subscription.unsubscribe();
  });
  return { [Symbol.dispose]: () => stop() };
}

interface AnswerOptions {
  readonly established: Promise<NatsConnection | undefined>;
  readonly queue: BellQueue;
  readonly concurrency: number;
  readonly onBell: (payload: Uint8Array, working: () => void) => Promise<BellOutcome>;
  readonly logger: Logger;
}

function answerBells(options: AnswerOptions): AsyncDisposable {
  const closing = new AbortController();
  const inHand = new Set<Promise<void>>();
  let messages: ConsumerMessages | undefined;
  const loop = (async () => {
    const connection = await Promise.race([options.established, ended(closing.signal)]);
    while (connection && !closing.signal.aborted) {
      try {
        messages = await openConsumer(connection, options);
        if (closing.signal.aborted) break;
        await takeBells(messages, options, inHand, closing.signal);
      } catch (error) {
        options.logger.warn({ err: error, stream: options.queue.stream }, 'bells interrupted; trying on');
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

/** Nobody waits for a broker that was never reached. */
function ended(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

async function openConsumer(connection: NatsConnection, options: AnswerOptions): Promise<ConsumerMessages> {
  const manager = await jetstreamManager(connection, { timeout: PUBLISH_TIMEOUT_MS });
  await ensureQueue(manager, options.queue);
  const consumer = await jetstream(connection).consumers.get(options.queue.stream, options.queue.consumer);
  const messages = await consumer.consume({ max_messages: options.concurrency, expires: 5_000, idle_heartbeat: 1_000 });
  void stopWhenGone(messages);
  return messages;
}

/** A consumer or stream that was deleted leaves an iterator that waits for ever: end it, so that the loop makes both anew. */
async function stopWhenGone(messages: ConsumerMessages): Promise<void> {
  let missed = 0;
  for await (const status of messages.status()) {
    if (status.type === 'heartbeats_missed') missed = status.count;
    const gone =
      status.type === 'consumer_deleted' || status.type === 'consumer_not_found' || status.type === 'stream_not_found';
    if (gone || missed >= 3) messages.stop();
  }
}

async function ensureQueue(manager: JetStreamManager, queue: BellQueue): Promise<void> {
  const exists = await manager.streams.info(queue.stream).then(
    () => true,
    () => false,
  );
  if (!exists)
    await manager.streams.add({
      name: queue.stream,
      subjects: [queue.subject],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      max_msgs: 1_000_000,
    });
  await manager.consumers.add(queue.stream, {
    durable_name: queue.consumer,
    ack_policy: AckPolicy.Explicit,
    ack_wait: queue.ackWaitMs * 1_000_000,
    max_deliver: -1,
  });
}

async function takeBells(
  messages: ConsumerMessages,
  options: AnswerOptions,
  inHand: Set<Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    if (signal.aborted) break;
    const work = answerBell(message, options).finally(() => inHand.delete(work));
    inHand.add(work);
    while (inHand.size >= options.concurrency) await Promise.race(inHand);
  }
}

/** The first delivery goes on in the trace of who rang; a redelivery is a trace of its own that links to it. */
async function answerBell(message: JsMsg, options: AnswerOptions): Promise<void> {
  const rung = contextOf(message.headers?.get(TRACEPARENT));
  const cause = message.info.deliveryCount > 1 ? { parent: ROOT_CONTEXT, links: linksTo(rung) } : { parent: rung };
  const attributes = { ...about(options.queue), 'messaging.nats.delivery_count': message.info.deliveryCount };
  await inSpan(`process ${options.queue.subject}`, { kind: SpanKind.CONSUMER, attributes, ...cause }, () =>
    handleBell(message, options),
  );
}

async function handleBell(message: JsMsg, options: AnswerOptions): Promise<void> {
  try {
    const outcome = await options.onBell(message.data, () => message.working());
    if (outcome.kind === 'done') message.ack();
    else message.nak(outcome.afterMs);
  } catch (error) {
    options.logger.error({ err: error, stream: options.queue.stream }, 'bell not answered');
    message.nak(RETRY_PAUSE_MS);
  }
}

function traceHeaders() {
  const carried = headers();
  const traceparent = activeTraceparent();
  if (traceparent) carried.set(TRACEPARENT, traceparent);
  return carried;
}

function about(queue: BellQueue) {
  return { 'messaging.system': 'nats', 'messaging.destination.name': queue.subject };
}
