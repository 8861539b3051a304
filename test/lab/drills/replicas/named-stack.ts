import path from 'node:path';
import { freePort } from '@ces/servers/ports';
import { startService } from '@ces/servers/processes/service';
import { environmentOf } from '@ces/topology/environment';
import { SERVICES, type Service, type ServiceName } from '@ces/topology/services';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import type { Random } from '../../../support/random.ts';
import { secretsOf } from '../../cluster/secrets.ts';
import { type Servers, startServers } from '../../cluster/servers.ts';
import type { Door } from '../../load/client.ts';
import { COMPANIES_PER_WORD, type Evidence, evidence, fillRecord, hostOf, WORDS } from '../../load/evidence.ts';
import { type Account, AMPLE, createAccount, ledgerAdmin } from '../../load/subscribers.ts';
import { NamedReplicas, type Replica } from './named-replicas.ts';
import { Names, nameOf } from './names.ts';

/**
 * All services as processes with their own addresses and DNS names, on dedicated servers, with a
 * record and a subscriber.
 */
export interface NamedStack extends AsyncDisposable {
  readonly servers: Servers;
  readonly secrets: Readonly<Record<string, string>>;
  readonly replicas: ReadonlyMap<ServiceName, NamedReplicas>;
  readonly account: Account;
  /** Ready gateways with every credential, as a load balancer would list them. */
  doors(): readonly Door[];
  readonly domains: readonly string[];
  evidence(): Evidence;
}

/** Gives callers time to notice that DNS removed a process. The chart waits five seconds. */
const SETTINGS = {
  ...NO_FLOOD_LIMITS,
  CES_DRAIN_DELAY_MS: '3000',
  CES_LOG_LEVEL: 'info',
  // A search with few results calls acquisition, so that acquisition gets load too.
  CES_ACQUISITION_ON_DEMAND: 'true',
};

export async function startNamedStack(random: Random): Promise<NamedStack> {
  await using cleanup = new AsyncDisposableStack();
  const secrets = secretsOf(random);
  const servers = cleanup.use(await startServers(secrets));
  const names = new Names(servers.directory);
  const ports = await portsOf(SERVICES);
  const replicas = new Map<ServiceName, NamedReplicas>();
  cleanup.defer(async () => {
    await Promise.all([...replicas.values()].map((one) => one[Symbol.asyncDispose]()));
  });
  const urlOf = (service: ServiceName) => `http://${nameOf(service)}:${ports.get(service)}`;
  const around = {
    secrets,
    ports,
    databaseUrls: new Map([...servers.databases].map(([name, { url }]) => [name, url])),
    natsUrl: `nats://127.0.0.1:${servers.natsPort}`,
    natsPrefix: '',
    outer: process.env,
  };
  const hosts = loopbackAddresses();
  const start = async (service: Service, name: string): Promise<Replica> => {
    const host = hosts();
    const peers = service.calls.map((peer) => [`CES_${peer.toUpperCase()}_URL`, urlOf(peer)] as const);
    const own = { ...SETTINGS, ...names.environment, ...Object.fromEntries(peers), CES_HOST: host };
    const log = path.join(servers.directory, `${name}.log`);
    const running = await startService(service, { ...environmentOf(service, around), ...own }, log);
    return { ...running, name, host };
  };
  for (const service of SERVICES) {
    let started = 0;
    const startNext = () => {
      started += 1;
      return start(service, `${service.name}-${started}`);
    };
    const publish = (known: readonly string[]) => names.set(service.name, known);
    const one = new NamedReplicas(service.name, startNext, publish);
    replicas.set(service.name, one);
    await one.add();
  }
  const admin = secrets.admin_token ?? '';
  const urlAt = (service: ServiceName, at: number) => replicas.get(service)?.current.at(at)?.url ?? '';
  const toRecord = () => evidence(urlAt('lookup', 0), urlAt('search', -1), admin);
  await fillRecord(toRecord());
  const account = await createAccount(ledgerAdmin(urlAt('ledger', 0), admin), AMPLE, 2);
  const kept = cleanup.move();
  return {
    servers,
    secrets,
    replicas,
    account,
    doors: () =>
      (replicas.get('gateway')?.current ?? []).flatMap(({ url }) =>
        account.tokens.map((token) => ({ baseUrl: url, token, accountId: account.accountId, surface: 'rest' })),
      ),
    domains: WORDS.flatMap((_, word) =>
      Array.from({ length: COMPANIES_PER_WORD }, (_, at) => hostOf(`base${word}x${at}`)),
    ),
    evidence: toRecord,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function portsOf(services: readonly Service[]): Promise<ReadonlyMap<ServiceName, number>> {
  const ports = new Map<ServiceName, number>();
  for (const { name } of services) ports.set(name, await freePort(0, new Set(ports.values())));
  return ports;
}

/** Each process gets its own address, like a pod. */
function loopbackAddresses(): () => string {
  let last = 1;
  return () => {
    last += 1;
    return `127.0.0.${last}`;
  };
}
