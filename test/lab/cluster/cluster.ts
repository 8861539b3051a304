import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@ces/servers/ports';
import { type ServiceProcess, startService } from '@ces/servers/processes/service';
import { environmentOf, secretNames } from '@ces/topology/environment';
import { REPOSITORY, SERVICES, type ServiceName } from '@ces/topology/services';
import { type FaultyProxy, startProxy } from '../../support/faulty-proxy.ts';
import type { Random } from '../../support/random.ts';
import { Part } from './part.ts';
import { type Servers, startServers } from './servers.ts';

type Settings = Readonly<Record<string, string>>;

/** The entry point of operations that honours CES_CRASH_FILE. */
const CRASHING_MAIN = 'test-support/crashing-main.ts';

/**
 * Every service process on dedicated servers, each of which tests may kill. Calls between services
 * pass proxies.
 */
export interface Cluster extends AsyncDisposable {
  readonly servers: Servers;
  readonly services: readonly Part<ServiceProcess>[];
  /**
   * Proxies of an edge `<caller>-<callee>`, for example `operations-ledger`, or only those of one
   * process. The broker's edge is `broker`.
   */
  proxiesOf(edge: string, caller?: string): readonly FaultyProxy[];
  answersLost(): number;
  readonly gateways: readonly string[];
  readonly secrets: Readonly<Record<string, string>>;
  urlOf(service: ServiceName): string;
  /**
   * Kills a process with SIGKILL and restarts it with additional settings. Later restarts omit
   * them.
   */
  restartWith(part: Part<ServiceProcess>, env: Settings): Promise<void>;
  /**
   * Makes a process of operations crash at a point: `name` at its next passage, `name:3` at the
   * third.
   */
  arm(part: Part<ServiceProcess>, crashAt: string): Promise<void>;
  /** Returns false if it has already crashed. */
  disarm(part: Part<ServiceProcess>): Promise<boolean>;
}

export interface ClusterOptions {
  readonly gateways: number;
  readonly operations: number;
  readonly settings: Settings;
  readonly random: Random;
  /**
   * True connects services directly. Tests can then inject no faults, and proxies do not affect
   * measurements.
   */
  readonly direct?: boolean;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  await using cleanup = new AsyncDisposableStack();
  const secrets = secretsOf(options.random);
  const servers = cleanup.use(await startServers(secrets));
  const proxies = new Map<string, FaultyProxy>();
  const proxied = async (edge: string, caller: string, port: number) => {
    if (options.direct) return port;
    const name = nameOfProxy(edge, caller);
    const proxy = cleanup.use(await startProxy(port, options.random.branch(name)));
    proxies.set(name, proxy);
    return proxy.port;
  };
  const instances = await placeInstances(options);
  const once = new Map<string, Settings>();
  const around = {
    secrets,
    databaseUrls: new Map([...servers.databases].map(([name, { url }]) => [name, url])),
    natsPrefix: '',
    outer: process.env,
  };
  const crashFile = (name: string) => path.join(servers.directory, `${name}.crash`);
  const startInstance = async ({ service, name, port, callee }: Instance) => {
    const ports = new Map<ServiceName, number>([[service.name, port]]);
    for (const peer of service.calls) ports.set(peer, await proxied(`${service.name}-${peer}`, name, callee(peer)));
    const databaseUrls = new Map(around.databaseUrls);
    const databaseUrl = databaseUrls.get(service.name);
    if (databaseUrl)
      databaseUrls.set(
        service.name,
        await throughProxy(databaseUrl, (to) => proxied(`${service.name}-postgres`, name, to)),
      );
    const broker = service.broker ? await proxied('broker', name, servers.natsPort) : servers.natsPort;
    const env = {
      ...environmentOf(service, { ...around, natsUrl: `nats://127.0.0.1:${broker}`, databaseUrls, ports }),
      CES_LOG_LEVEL: 'info',
      ...options.settings,
      ...(service.name === 'operations' && { CES_CRASH_FILE: crashFile(name) }),
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
    proxiesOf: (edge, caller = '') =>
      [...proxies].flatMap(([name, proxy]) => (name.startsWith(nameOfProxy(edge, caller)) ? proxy : [])),
    answersLost: () => [...proxies.values()].reduce((sum, proxy) => sum + proxy.dropped(), 0),
    gateways: instances.filter(({ service }) => service.name === 'gateway').map(({ port }) => addressOf(port)),
    secrets,
    urlOf: (service) => addressOf(portOf(service) ?? 0),
    restartWith,
    async arm(part, crashAt) {
      part.expectCrash();
      const file = crashFile(part.name);
      await writeFile(`${file}.new`, crashAt);
      await rename(`${file}.new`, file);
    },
    async disarm(part) {
      const removed = await rm(crashFile(part.name)).then(
        () => true,
        () => false,
      );
      if (removed) part.expectNoCrash();
      return removed;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Instance {
  readonly service: (typeof SERVICES)[number];
  readonly name: string;
  readonly port: number;
  readonly callee: (peer: ServiceName) => number;
}

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

async function throughProxy(url: string, proxied: (port: number) => Promise<number>): Promise<string> {
  const address = new URL(url);
  address.port = String(await proxied(Number(address.port)));
  return address.href;
}

function nameOfProxy(edge: string, caller: string): string {
  return `${edge}:${caller}`;
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * A secret of 64 hexadecimal digits for every secret name of the services, derived from the seed.
 */
export function secretsOf(random: Random): Readonly<Record<string, string>> {
  const secret = () => Array.from({ length: 64 }, () => random.below(16).toString(16)).join('');
  return Object.fromEntries(secretNames().map((name) => [name, secret()]));
}
