import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { seeded } from '../../support/random.ts';
import { surface } from '../../support/subscriber.ts';
import { startCluster } from '../cluster/cluster.ts';
import { AMPLE, createAccount, ledgerAdmin } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { percentile } from '../support/figures.ts';

const USAGE = 'npm run lab -- slow-clients [--connections N] [--calls N] [--rounds N] [--seed S]';
const text = { type: 'string' } as const;
const { values } = readArguments(USAGE, { connections: text, calls: text, rounds: text, seed: text });
const connections = atLeastOne(values.connections, 1_000);
const calls = atLeastOne(values.calls, 500);
const rounds = atLeastOne(values.rounds, 3);
const seed = values.seed ?? String(Date.now());

const BYTE_EVERY_MS = 1_000;
const SETTINGS = {
  ...NO_FLOOD_LIMITS,
  CES_LOG_LEVEL: 'warn',
};

await main();

/** Measures what slow connections cost other callers. Alternates rounds without and with them. */
async function main(): Promise<void> {
  console.log(`${connections} slow connections, ${calls} calls a round, seed ${seed}`);
  await using cluster = await startCluster({ gateways: 1, operations: 1, settings: SETTINGS, random: seeded(seed) });
  const gateway = cluster.gateways[0] ?? '';
  const admin = ledgerAdmin(cluster.urlOf('ledger'), cluster.secrets.admin_token ?? '');
  const [token = ''] = (await createAccount(admin, AMPLE, 1)).tokens;
  const report = surface(gateway, token).report;
  const measure = async () => {
    const times: number[] = [];
    for (let made = 0; made < calls; made += 1) {
      const begun = performance.now();
      const { status } = await report();
      if (status !== 200) throw new Error(`a call was answered ${status}`);
      times.push(performance.now() - begun);
    }
    return times;
  };
  await measure();
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await measure()));
    const slow = await openSlowly(gateway);
    beside.push(...(await measure()));
    console.log(`round ${round + 1}: ${slow.open()} of ${connections} connections still open at its end`);
    slow.close();
  }
  for (const [name, share] of [
    ['median', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [without, withThem] = [percentile(alone, share), percentile(beside, share)];
    console.log(
      `${name}: ${without.toFixed(2)} ms without, ${withThem.toFixed(2)} ms with them, ratio ${(withThem / without).toFixed(2)}`,
    );
  }
}

async function openSlowly(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: connections }, () => {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => socket.destroy());
    socket.write('GET /api/usage HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    return socket;
  });
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, BYTE_EVERY_MS);
  await pause(BYTE_EVERY_MS);
  return {
    open: () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length,
    close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
