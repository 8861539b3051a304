import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { Channel, connectivityState } from '@grpc/grpc-js';
import { metrics } from '@opentelemetry/api';
import { MAX_MESSAGE_BYTES } from '../message-size.ts';
import { channelCredentials, type RpcTls } from '../tls.ts';
import { libraryDeadline } from './deadline.ts';
import { keepCallsOfDrainingConnections } from './draining.ts';
import { WATCHED_NAME } from './resolver.ts';

/** A connection on which nothing is heard for the sum of both is given up, in milliseconds: nine seconds. */
const KEEPALIVE = { afterMs: 3_000, timeoutMs: 6_000 };
/** Longest pause between attempts to connect, in milliseconds: a peer that comes back is found within it. */
const LONGEST_RECONNECT_PAUSE_MS = 2_000;
/** How long the first calls of a process wait for a peer that starts at the same time, in milliseconds. */
const FIRST_WAIT_MS = 2_000;
/** A channel that nobody uses gives up its connections after this time, in milliseconds; the next call makes new ones. */
const IDLE_MS = 60_000;
/** What a stream may send before it is acknowledged, in bytes. */
const FLOW_CONTROL_WINDOW = 1024 * 1024;

/** What did not arrive is sent again, `attempts` in all (promise R23). */
const RETRY = { attempts: 3, firstPause: '0.025s', longestPause: '1s' };
/** A failure takes a token, a success gives a tenth of one; nothing is sent again with half of them left: a burst of twenty, then a tenth of all calls. */
const RETRY_TOKENS = { maxTokens: 40, tokenRatio: 0.1 };

keepCallsOfDrainingConnections();

/** A channel to a service: connections to every address of its name, which take turns. */
export interface ServiceChannel {
  readonly channel: Channel;
  /** Resolves once the service was reached, and after a moment in any case; at once from then on. */
  reached(): Promise<void> | undefined;
}

/** Opens a channel to the service at `url`; what may be repeated is sent again when the peer was not there. */
export function openChannel(service: DescService, url: URL, tls: RpcTls | undefined): ServiceChannel {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const channel = new Channel(`${WATCHED_NAME}:${url.hostname}:${port}`, channelCredentials(url, tls), {
    'grpc.service_config': JSON.stringify(serviceConfig(service)),
    'grpc.service_config_disable_resolution': 1,
    'grpc.keepalive_time_ms': KEEPALIVE.afterMs,
    'grpc.keepalive_timeout_ms': KEEPALIVE.timeoutMs,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_PAUSE_MS,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW,
    'grpc.client_idle_timeout_ms': IDLE_MS,
    'grpc.enable_channelz': 0,
    'grpc.enable_http_proxy': 0,
  });
  observe(channel, service, url);
  let reaching: Promise<void> | undefined = untilReady(channel, performance.now() + FIRST_WAIT_MS).finally(() => {
    reaching = undefined;
  });
  return { channel, reached: () => reaching };
}

/** Tells at every scrape whether the service can be reached now. */
function observe(channel: Channel, service: DescService, url: URL): void {
  const connected = metrics.getMeter('ces').createObservableGauge('ces.rpc.channel.connected', {
    description: '1 while there is a connection to a service that was called within the last minute, else 0',
  });
  const attributes = { 'rpc.service': service.typeName, 'server.address': url.hostname };
  connected.addCallback((result) => {
    result.observe(channel.getConnectivityState(false) === connectivityState.READY ? 1 : 0, attributes);
  });
}

async function untilReady(channel: Channel, deadline: number): Promise<void> {
  while (performance.now() < deadline) {
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) return;
    await new Promise<void>((resolve) =>
      channel.watchConnectivityState(state, libraryDeadline(deadline), () => resolve()),
    );
  }
}

/** The configuration of gRPC clients: how addresses are shared, and which methods are sent again. */
function serviceConfig(service: DescService) {
  const retryPolicy = {
    maxAttempts: RETRY.attempts,
    initialBackoff: RETRY.firstPause,
    maxBackoff: RETRY.longestPause,
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  const repeatable = service.methods.filter(isRepeatable);
  const name = repeatable.map((method) => ({ service: service.typeName, method: method.name }));
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: name.length > 0 ? [{ name, retryPolicy }] : [],
    retryThrottling: RETRY_TOKENS,
  };
}

function isRepeatable({ idempotency }: DescMethod): boolean {
  return idempotency === Idempotency.NO_SIDE_EFFECTS || idempotency === Idempotency.IDEMPOTENT;
}
