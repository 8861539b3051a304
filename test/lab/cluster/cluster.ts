import path from 'node:path';
import { freePort } from '@ces/servers/ports';
import { type ServiceProcess, startService } from '@ces/servers/processes/service';
import { environmentOf } from '@ces/topology/environment';
import { REPOSITORY, SERVICES, type ServiceName } from '@ces/topology/services';
import type { Random } from '../../support/random.ts';
import { Part } from './part.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { secretsOf } from './secrets.ts';
import { type Servers, startServers } from './servers.ts';

type Settings = Readonly<Record<string, string>>;

/** The entry of operations that CES_CRASH_AT crashes. */
const CRASHING_MAIN = 'test-support/crashing-main.ts';

/** Every process of the service on servers of its own, each of which may be killed. Calls between services go through proxies. */
export interface Cluster extends AsyncDisposable {
  readonly servers: Servers;
  readonly services: readonly Part<ServiceProcess>[];
  /** Those of an edge, `<caller>-<callee>`, for example `operations-ledger`; the broker's is `broker`. */
  proxiesOf(edge: string): readonly FaultyProxy[];
  /** Answers that proxies have lost. */
  answersLost(): number;
  readonly gateways: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  urlOf(service: ServiceName): string;
  /** kill -9, and a new start of a process with these settings beside its own; later ones are without. */
  restartWith(part: Part<ServiceProcess>, env: Settings): Promise<void>;
  /** kill -9, and a new start whose process crashes at a point (CES_CRASH_AT). */
  arm(part: Part<ServiceProcess>, crashAt: string): Promise<void>;
}

export interface ClusterOptions {
  readonly gateways: number;
  readonly operations: number;
  /** For every service. */
  readonly settings: Settings;
  readonly random: Random;
  /** True: calls go straight to their peers; no fault can be laid on an edge, and nothing of them is measured with it. */
  readonly direct?: boolean;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  await using cleanup = new AsyncDisposableStack();
  const secrets = secretsOf(options.random);
  const servers = cleanup.use(await startServers(secrets));
  const proxies = new Map<string, FaultyProxy>();
  const proxied = async (edge: string, port: number) => {
    if (options.direct) return port;
    const name = `${edge}:${port}`;
    const known = proxies.get(name) ?? cleanup.use(await startProxy(port, options.random.branch(edge)));
    proxies.set(name, known);
    return known.port;
  };
  const instances = await placeInstances(options);
  const once = new Map<string, Settings>();
  const around = {
    secrets,
    databaseUrls: new Map([...servers.databases].map(([name, { url }]) => [name, url])),
    natsUrl: `nats://127.0.0.1:${await proxied('broker', servers.natsPort)}`,
    natsPrefix: '',
    outer: process.env,
  };
  const startInstance = async ({ service, name, port, callee }: Instance) => {
    const ports = new Map<ServiceName, number>([[service.name, port]]);
    for (const peer of service.calls) ports.set(peer, await proxied(`${service.name}-${peer}`, callee(peer)));
    const databaseUrls = new Map(around.databaseUrls);
    const databaseUrl = databaseUrls.get(service.name);
    if (databaseUrl)
      databaseUrls.set(service.name, await throughProxy(databaseUrl, `${service.name}-postgres`, proxied));
    const env = {
      ...environmentOf(service, { ...around, databaseUrls, ports }),
      CES_LOG_LEVEL: 'info',
      ...options.settings,
    };
    return await Part.start(name, () => {
      const beside = once.get(name);
      once.delete(name);
      const log = path.join(servers.directory, `${name}.log`);
      const main = service.name === 'operations' ? CRASHING_MAIN : undefined;
      return startService(service, { ...env, ...beside }, log, REPOSITORY, main);
    });
  };
  const services: Part<ServiceProcess>[] = [];
  for (const instance of instances) services.push(cleanup.use(await startInstance(instance)));
  const restartWith = async (part: Part<ServiceProcess>, env: Settings) => {
    const { promise: armed, resolve } = Promise.withResolvers<void>();
    await part.kill(armed);
    once.set(part.name, env);
    resolve();
    await part.untilUp();
  };
  const portOf = (service: ServiceName) => instances.find((one) => one.service.name === service)?.port;
  const kept = cleanup.move();
  return {
    servers,
    services,
    proxiesOf: (edge) => [...proxies].flatMap(([name, proxy]) => (name.startsWith(`${edge}:`) ? proxy : [])),
    answersLost: () => [...proxies.values()].reduce((sum, proxy) => sum + proxy.dropped(), 0),
    gateways: instances.filter(({ service }) => service.name === 'gateway').map(({ port }) => addressOf(port)),
    secrets,
    urlOf: (service) => addressOf(portOf(service) ?? 0),
    restartWith,
    async arm(part, crashAt) {
      await restartWith(part, { CES_CRASH_AT: crashAt });
      part.expectCrash();
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Instance {
  readonly service: (typeof SERVICES)[number];
  readonly name: string;
  readonly port: number;
  /** The port of the instance that it calls. */
  readonly callee: (peer: ServiceName) => number;
}

/** Gateways are dealt out to the processes of operations in turn. */
async function placeInstances({ gateways, operations }: ClusterOptions): Promise<readonly Instance[]> {
  const counts: Partial<Record<ServiceName, number>> = { gateway: gateways, operations };
  const taken = new Set<number>();
  const placed = new Map<ServiceName, number[]>();
  const instances: Instance[] = [];
  for (const service of SERVICES) {
    const ports: number[] = [];
    placed.set(service.name, ports);
    for (let at = 0; at < (counts[service.name] ?? 1); at += 1) {
      const port = await freePort(0, taken);
      taken.add(port);
      ports.push(port);
      const callee = (peer: ServiceName) => {
        const peers = placed.get(peer) ?? [];
        return peers[at % peers.length] ?? 0;
      };
      instances.push({ service, name: `${service.name}-${at + 1}`, port, callee });
    }
  }
  return instances;
}

async function throughProxy(
  url: string,
  edge: string,
  proxied: (edge: string, port: number) => Promise<number>,
): Promise<string> {
  const address = new URL(url);
  address.port = String(await proxied(edge, Number(address.port)));
  return address.href;
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
