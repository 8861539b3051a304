import { StartupError } from '@ces/chassis/service/lifecycle';
import { askedPort, freePort } from '@ces/servers/ports';
import { type ServiceProcess, startService } from '@ces/servers/processes/service';
import type { Supervised } from '@ces/servers/processes/supervise';
import { environmentOf } from '@ces/topology/environment';
import { SERVICES, type Service, type ServiceName } from '@ces/topology/services';
import { withProgress } from '../../bin/progress.mjs';
import { logFile } from '../state/data-directory.ts';
import type { Servers } from './servers.ts';
import { keepRunning, type StartContext, startAll } from './start-context.ts';

export type Fleet = ReadonlyMap<ServiceName, Supervised<ServiceProcess>>;
export type Ports = ReadonlyMap<ServiceName, number>;

export async function choosePorts(env: NodeJS.ProcessEnv, gatewayPort: number | undefined): Promise<Ports> {
  const ports = new Map<ServiceName, number>();
  for (const service of [...SERVICES].reverse()) {
    const asked = service.name === 'gateway' ? (gatewayPort ?? parsePort(service, env)) : parsePort(service, env);
    const usual = gatewayPort === 0 ? 0 : service.port;
    const taken = new Set(ports.values());
    ports.set(service.name, asked ? await askedPort(asked) : await freePort(asked ?? usual, taken));
  }
  return ports;
}

export async function startFleet(context: StartContext, servers: Servers, ports: Ports): Promise<Fleet> {
  const around = {
    secrets: context.secrets,
    ports,
    databaseUrls: new Map([...servers.databases].map(([name, { url }]) => [name, url])),
    natsUrl: servers.natsUrl,
    natsAccess: servers.natsAccess,
    natsPrefix: servers.natsPrefix,
    sampleKeysFile: context.data.readyFile,
    searchIndex: context.data.searchIndex,
    outer: context.env,
  };
  const starting = SERVICES.map(async (service) => {
    const file = await logFile(context.data, service.name);
    return await keepRunning(context, service.name, () => startService(service, environmentOf(service, around), file));
  });
  const started = await withProgress(
    `starting ${SERVICES.length} services`,
    () => startAll(context, starting),
    context.say,
  );
  return new Map(SERVICES.flatMap(({ name }, index) => (started[index] ? [[name, started[index]]] : [])));
}

function parsePort({ portSetting }: Service, env: NodeJS.ProcessEnv): number | undefined {
  const text = env[portSetting];
  if (!text) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new StartupError(`${portSetting} must be a whole number from 0 to 65535; 0: a free port.`);
}
