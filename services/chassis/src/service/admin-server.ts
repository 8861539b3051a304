import http from 'node:http';
import type net from 'node:net';
import { answerScrape } from '../telemetry/scrape.ts';

/** What the probes answer (decision 0044). */
export interface Probes {
  /** True when the service can do its own work: its database answers. Not NATS, not peers. */
  isReady(): Promise<boolean>;
  /** True when it need not be waited for any longer to know that it lives. Default: when it is ready. */
  hasStarted?(): Promise<boolean>;
}

export interface AdminServer extends AsyncDisposable {
  readonly url: string;
  /** From now on readiness is refused. */
  drain(): void;
}

/** Serves `/livez`, `/readyz`, `/startupz` and `/metrics` on a port of their own. */
export async function startAdminServer(host: string, port: number, probes: Probes): Promise<AdminServer> {
  let draining = false;
  const server = http.createServer(async (request, response) => {
    if (request.url === '/metrics' && answerScrape(request, response)) return;
    const status = await probeStatus(request.url ?? '', draining, probes);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${http.STATUS_CODES[status]}\n`);
  });
  await listen(server, host, port);
  return {
    url: `http://${host}:${(server.address() as net.AddressInfo).port}`,
    drain: () => {
      draining = true;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Listens, or rejects with the error of the attempt. */
export function listen(server: net.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

async function probeStatus(path: string, draining: boolean, probes: Probes): Promise<number> {
  switch (path) {
    case '/livez':
      return 200;
    case '/readyz':
      return await answer(draining, () => probes.isReady());
    case '/startupz':
      return await answer(draining, () => probes.hasStarted?.() ?? probes.isReady());
    default:
      return 404;
  }
}

async function answer(draining: boolean, probe: () => Promise<boolean>): Promise<number> {
  if (draining) return 503;
  return (await probe().catch(() => false)) ? 200 : 503;
}
