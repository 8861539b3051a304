import { jetstream } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { retry } from '../service/retry.ts';
import type { Logger } from '../telemetry/log.ts';
import { activeTraceparent, contextOf, inSpan, SpanKind } from '../telemetry/span.ts';
import { connectionOptions } from './connection-options.ts';
import { consumeQueue } from './consume.ts';
import type { BrokerConfig } from './settings.ts';
import { type MessageOutcome, messagingAttributes, TRACEPARENT, type WorkQueue } from './work-queue.ts';

export type { MessageOutcome, WorkQueue } from './work-queue.ts';

/** NATS as a source of wake-ups. Postgres is the truth, and a service serves without a broker (decision 0003; promises R7, R8). */
export interface Broker extends AsyncDisposable {
  isConnected(): boolean;
  /**
   * Publishes durably; rejects when the server did not confirm, and the outbox tries again. The message carries the trace
   * that `traceparent` names; default: the present one.
   */
  publish(queue: WorkQueue, payload: Uint8Array, messageId: string, traceparent?: string): Promise<void>;
  /** Notifies those who are subscribed now; lost without trace when nobody is or the server is away. */
  notify(subject: string, payload?: Uint8Array): void;
  /** Subscribes until disposed; the subscription survives reconnects. */
  subscribe(subject: string, onMessage: (payload: Uint8Array, subject: string) => void): Disposable;
  /** Processes messages, at most `concurrency` at once; makes stream and consumer, again whenever they are gone. */
  consume(
    queue: WorkQueue,
    concurrency: number,
    onMessage: (payload: Uint8Array, working: () => void) => Promise<MessageOutcome>,
  ): AsyncDisposable;
}

const PUBLISH_TIMEOUT_MS = 2_000;
const RETRY_PAUSE_MS = 1_000;
const LOG_EVERY_ATTEMPTS = 30;

/** Connects in the background and never gives up. Throws ConfigurationError when what is set does not go together. */
export function startBroker(config: BrokerConfig, name: string, logger: Logger): Broker {
  const closing = new AbortController();
  let current: NatsConnection | undefined;
  let connected = false;
  const established = establish(connectionOptions(config, name), closing.signal, logger).then((connection) => {
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
    async publish(queue, payload, messageId, traceparent) {
      if (!current || !connected) throw new Error('the broker is not connected');
      const client = jetstream(current, { timeout: PUBLISH_TIMEOUT_MS });
      const parent = traceparent === undefined ? undefined : contextOf(traceparent);
      await inSpan(
        `send ${queue.subject}`,
        { kind: SpanKind.PRODUCER, attributes: messagingAttributes(queue), ...(parent && { parent }) },
        () =>
          client.publish(queue.subject, payload, {
            msgID: messageId,
            timeout: PUBLISH_TIMEOUT_MS,
            headers: traceHeaders(),
          }),
      );
    },
    notify(subject, payload) {
      if (current && connected) current.publish(subject, payload);
    },
    subscribe: (subject, onMessage) => subscribeOn(established, subject, onMessage),
    consume: (queue, concurrency, onMessage) =>
      consumeQueue({ established, queue, concurrency, onMessage, logger, replicas: config.natsReplicas ?? 1 }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      const connection = await established;
      await connection?.close();
    },
  };
}

async function establish(
  server: NodeConnectionOptions,
  signal: AbortSignal,
  logger: Logger,
): Promise<NatsConnection | undefined> {
  const options = { attempts: Number.POSITIVE_INFINITY, firstPauseMs: RETRY_PAUSE_MS, longestPauseMs: RETRY_PAUSE_MS };
  const onFailure = (error: unknown, attempt: number) => {
    if (attempt % LOG_EVERY_ATTEMPTS === 1) logger.warn({ err: error }, 'broker not reachable; trying on');
  };
  return await retry(() => connect(server), { ...options, signal, onFailure }).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
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

function subscribeOn(
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

function traceHeaders() {
  const carried = headers();
  const traceparent = activeTraceparent();
  if (traceparent) carried.set(TRACEPARENT, traceparent);
  return carried;
}
