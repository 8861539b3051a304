import { jetstream } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { retry } from '../service/retry.ts';
import type { Logger } from '../telemetry/log.ts';
import { activeTraceparent, contextOf, inSpan, SpanKind } from '../telemetry/span.ts';
import { connectionOptions } from './connection-options.ts';
import { consumeQueue } from './consume.ts';
import type { BrokerConfig } from './settings.ts';
import { readMessage, removeMessage } from './stored-message.ts';
import { type MessageOutcome, messagingAttributes, TRACEPARENT, type WorkQueue } from './work-queue.ts';

export type { MessageOutcome, WorkQueue } from './work-queue.ts';

/** Postgres holds the truth; a service works without a broker (decision 0003; promises R7, R8). */
export interface Broker extends AsyncDisposable {
  isConnected(): boolean;
  /**
   * Resolves with the stream sequence once stored; else rejects, and the outbox tries again.
   * `traceparent` defaults to the active trace.
   */
  publish(
    queue: WorkQueue,
    payload: Uint8Array,
    messageId: string,
    options?: { readonly traceparent?: string | undefined; readonly subject?: string },
  ): Promise<number>;
  /** Undefined if the message is gone. A recreated stream counts from 1 again. */
  read(queue: WorkQueue, sequence: number): Promise<Uint8Array | undefined>;
  remove(queue: WorkQueue, sequence: number): Promise<void>;
  /** Delivers at most once, to current subscribers. */
  notify(subject: string, payload?: Uint8Array): void;
  /** The subscription survives reconnects. */
  subscribe(subject: string, onMessage: (payload: Uint8Array, subject: string) => void): Disposable;
  /**
   * At most `concurrency` at once; recreates a missing stream or consumer. `whenReady` pulls one
   * message each time it resolves; the others stay in the stream for other consumers.
   */
  consume(
    queue: WorkQueue,
    concurrency: number,
    onMessage: (payload: Uint8Array, working: () => void) => Promise<MessageOutcome>,
    whenReady?: (signal: AbortSignal) => Promise<void>,
  ): AsyncDisposable;
}

const PUBLISH_TIMEOUT_MS = 2_000;
const RETRY_PAUSE_MS = 1_000;
const LOG_EVERY_ATTEMPTS = 30;

/** Connects in the background and forever. Throws ConfigurationError if the settings conflict. */
export function startBroker(config: BrokerConfig, name: string, logger: Logger): Broker {
  const closing = new AbortController();
  let current: NatsConnection | undefined;
  let connected = false;
  const established = establish(connectionOptions(config, name, logger), closing.signal, logger).then((connection) => {
    if (!connection) return undefined;
    current = connection;
    connected = true;
    void watchConnection(connection, logger, (value) => {
      connected = value;
    });
    return connection;
  });
  const connection = () => {
    if (!current || !connected) throw new Error('the broker is not connected');
    return current;
  };
  return {
    isConnected: () => connected,
    async publish(queue, payload, messageId, { traceparent, subject = queue.subject } = {}) {
      const client = jetstream(connection(), { timeout: PUBLISH_TIMEOUT_MS });
      const parent = traceparent === undefined ? undefined : contextOf(traceparent);
      const { seq } = await inSpan(
        `send ${queue.subject}`,
        { kind: SpanKind.PRODUCER, attributes: messagingAttributes(queue), ...(parent && { parent }) },
        () =>
          client.publish(subject, payload, { msgID: messageId, timeout: PUBLISH_TIMEOUT_MS, headers: traceHeaders() }),
      );
      return seq;
    },
    read: async (queue, sequence) => await readMessage(connection(), queue, sequence),
    remove: async (queue, sequence) => await removeMessage(connection(), queue, sequence),
    notify(subject, payload) {
      if (current && connected) current.publish(subject, payload);
    },
    subscribe: (subject, onMessage) => subscribeOn(established, subject, onMessage),
    consume: (queue, concurrency, onMessage, whenReady) => {
      const replicas = config.natsReplicas ?? 1;
      return consumeQueue({ established, queue, concurrency, onMessage, whenReady, logger, replicas });
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await (await established)?.close();
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
