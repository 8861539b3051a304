import { type Duration, disturb, type Fault, killFor } from './fault.ts';

export function killNats(downMs: Duration): Fault {
  return {
    name: 'kill nats',
    promise: 'R7',
    run: async ({ servers }, random) => ((await killFor(servers.nats, downMs(random))) ? '' : undefined),
  };
}

export function loseStreams(): Fault {
  return {
    name: 'lose all streams',
    promise: 'R7',
    run: async ({ servers }) => {
      const { kills } = servers.nats;
      await servers.loseStreams();
      return servers.nats.kills > kills ? '' : undefined;
    },
  };
}

/**
 * Consumers take messages at once, so delivery stops for a while to accumulate some that can be
 * lost.
 */
export function cutNewestBlock(gatheredMs: number): Fault {
  return {
    name: 'newest block of messages cut in half',
    promise: 'R7',
    run: async (cluster) => {
      await disturb(cluster, 'broker', { kind: 'silence' }, gatheredMs);
      return await cluster.servers.truncateNewestBlock();
    },
  };
}

export function partitionBroker(ms: number): Fault {
  return {
    name: 'broker half open',
    promise: 'R7',
    run: (cluster) => disturb(cluster, 'broker', { kind: 'half open' }, ms),
  };
}

export function natsOff(offMs: Duration): Fault {
  return {
    name: 'nats off',
    promise: 'R8',
    run: async ({ servers }, random) => {
      const ms = offMs(random);
      return (await killFor(servers.nats, ms)) ? `for ${Math.round(ms / 1_000)} s` : undefined;
    },
  };
}

export function silenceBroker(ms: number): Fault {
  return {
    name: 'broker silent',
    promise: 'R8',
    run: (cluster) => disturb(cluster, 'broker', { kind: 'silence' }, ms),
  };
}
