import { Channel } from '@grpc/grpc-js';
import { afterAll } from 'vitest';

/**
 * A program keeps its channels until it exits. In a worker of many test files they would try to
 * reconnect to services that have stopped, for a minute each.
 */
const opened = new Set<Channel>();
const { getConnectivityState } = Channel.prototype;
Channel.prototype.getConnectivityState = function (connects) {
  opened.add(this);
  return getConnectivityState.call(this, connects);
};

afterAll(() => {
  for (const channel of opened) channel.close();
  opened.clear();
});
