import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { Channel, connectivityState } from '@grpc/grpc-js';
import { metrics } from '@opentelemetry/api';
import { MAX_MESSAGE_BYTES } from '../message-size.ts';
import { channelCredentials, type RpcTls } from '../tls.ts';
import { libraryDeadline } from './deadline.ts';
import { keepCallsOfDrainingConnections } from './draining.ts';

/** Drops a connection after nine silent seconds. */
const KEEPALIVE = { afterMs: 3_000, timeoutMs: 6_000 };
const LONGEST_RECONNECT_PAUSE_MS = 2_000;
/** The least time between two resolutions of a name, even if connections keep breaking. */
const RESOLUTION_GAP_MS = 1_000;
/** The first calls wait for a peer that starts at the same time. */
const FIRST_WAIT_MS = 2_000;
const IDLE_MS = 60_000;
const FLOW_CONTROL_WINDOW = 1024 * 1024;

/** Total attempts (promise R23). */
const RETRY = { attempts: 3, firstPause: '0.025s', longestPause: '1s' };
/** gRFC A6: a failure costs one token, a success returns 0.1; retries stop at half. */
const RETRY_TOKENS = { maxTokens: 40, tokenRatio: 0.1 };

keepCallsOfDrainingConnections();

export interface ServiceChannel {
  readonly channel: Channel;
  /** Pending until the service was reached, `FIRST_WAIT_MS` at most; undefined afterwards. */
  reached(): Promise<void> | undefined;
}

export function openChannel(service: DescService, url: URL, tls: RpcTls | undefined): ServiceChannel {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const channel = new Channel(`dns:///${url.hostname}:${port}`, channelCredentials(url, tls), {
    'grpc.service_config': JSON.stringify(serviceConfig(service)),
    'grpc.service_config_disable_resolution': 1,
    'grpc.keepalive_time_ms': KEEPALIVE.afterMs,
    'grpc.keepalive_timeout_ms': KEEPALIVE.timeoutMs,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_PAUSE_MS,
    'grpc.dns_min_time_between_resolutions_ms': RESOLUTION_GAP_MS,
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
