import path from 'node:path';
import { startService } from '@ces/servers/processes/service';
import { environmentOf } from '@ces/topology/environment';
import { REPOSITORY, SERVICES, type Service, type ServiceName } from '@ces/topology/services';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import type { Random } from '../../../support/random.ts';
import { type Balancer, startBalancer } from '../../cluster/balancer.ts';
import { secretsOf } from '../../cluster/cluster.ts';
import { type Servers, startServers } from '../../cluster/servers.ts';
import { doorsOf } from '../../load/client.ts';
import { HOSTS, populate, WORDS } from '../../load/evidence.ts';
import { type Account, AMPLE, createAccount } from '../../load/subscribers.ts';
import { type Replica, Replicas } from './replicas.ts';
import { runTraffic } from './traffic.ts';

export interface Code {
  tree: string;
}

/**
 * All services as processes behind one address each, on dedicated servers, with a record and a
 * subscriber.
 */
export interface ReplicatedStack extends AsyncDisposable {
  readonly servers: Servers;
  readonly secrets: Readonly<Record<string, string>>;
  readonly replicas: readonly Replicas[];
  readonly balancers: ReadonlyMap<ServiceName, Balancer>;
  readonly account: Account;
  readonly gatewayUrl: string;
  traffic(rate: number, signal: AbortSignal): ReturnType<typeof runTraffic>;
}

export interface ReplicatedStackOptions {
  readonly processes: number;
  readonly random: Random;
  /** A change applies to processes that start later. */
  readonly settings: Readonly<Record<string, string>>;
  readonly code?: Code;
}

const BUSY_ACCOUNT = {
  ...NO_FLOOD_LIMITS,
  CES_LOG_LEVEL: 'info',
};

export async function startReplicatedStack(options: ReplicatedStackOptions): Promise<ReplicatedStack> {
  await using cleanup = new AsyncDisposableStack();
  const { random, code = { tree: REPOSITORY } } = options;
  const secrets = secretsOf(random);
  const servers = cleanup.use(await startServers(secrets, { tree: code.tree }));
  const balancers = new Map<ServiceName, Balancer>();
  for (const { name } of SERVICES) balancers.set(name, cleanup.use(await startBalancer()));
  const replicas: Replicas[] = [];
  const around = { ...options, code, secrets, servers, balancers };
  for (const service of SERVICES) replicas.push(cleanup.use(await startReplicas(service, around)));
  const addressOf = (name: ServiceName) => `http://127.0.0.1:${balancers.get(name)?.port}`;
  const { ledger } = await populate({ urlOf: addressOf, secrets });
  const account = await createAccount(ledger, AMPLE, 2);
  const baseUrl = addressOf('gateway');
  const doors = doorsOf([baseUrl], [account]);
  const kept = cleanup.move();
  return {
    servers,
    secrets,
    replicas,
    balancers,
    account,
    gatewayUrl: baseUrl,
    traffic: (rate, signal) =>
      runTraffic({ rate, doors, random: random.branch('traffic'), words: WORDS, domains: HOSTS }, signal),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Around extends ReplicatedStackOptions {
  readonly code: Code;
  readonly secrets: Readonly<Record<string, string>>;
  readonly servers: Servers;
  readonly balancers: ReadonlyMap<ServiceName, Balancer>;
}

async function startReplicas(service: Service, around: Around): Promise<Replicas> {
  const balancer = around.balancers.get(service.name);
  if (!balancer) throw new Error(`${service.name} has no balancer`);
  let started = 0;
  return await Replicas.start(service.name, around.processes, balancer, async () => {
    started += 1;
    return await startProcess(service, around, `${service.name}-${started}`);
  });
}

async function startProcess(service: Service, around: Around, as: string): Promise<Replica> {
  const { secrets, servers, balancers, code } = around;
  const ports = new Map([...balancers].map(([peer, { port }]) => [peer, port]));
  ports.set(service.name, 0);
  const databaseUrls = new Map([...servers.databases].map(([database, { url }]) => [database, url]));
  const natsUrl = `nats://127.0.0.1:${servers.natsPort}`;
  const env = environmentOf(service, { secrets, ports, databaseUrls, natsUrl, natsPrefix: '', outer: process.env });
  const settings = { ...env, ...BUSY_ACCOUNT, ...around.settings };
  return await startService(service, settings, path.join(servers.directory, `${as}.log`), code.tree);
}
