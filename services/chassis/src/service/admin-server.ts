import http from 'node:http';
import { answerScrape } from '../telemetry/scrape.ts';
import { HTTP_TIMEOUTS } from './http-timeouts.ts';
import { listen, urlOf } from './listen.ts';

export interface Probes {
  readiness(): Readiness;
  /** Default: when the service is ready. */
  hasStarted?(): boolean;
}

export interface Readiness {
  readonly ready: boolean;
  readonly why: string;
}

export interface AdminServer extends AsyncDisposable {
  readonly url: string;
  drain(): void;
}

export async function startAdminServer(host: string, port: number, probes: Probes): Promise<AdminServer> {
  let draining = false;
  const server = http.createServer(HTTP_TIMEOUTS, (request, response) => {
    if (request.url === '/metrics' && answerScrape(request, response)) return;
    const { status, body } = answerProbe(request.url ?? '', draining, probes);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${body ?? http.STATUS_CODES[status]}\n`);
  });
  await listen(server, host, port);
  return {
    url: urlOf('http', host, server),
    drain: () => {
      draining = true;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ProbeAnswer {
  readonly status: number;
  readonly body?: string;
}

const STOPPING: Readiness = { ready: false, why: 'the process stops' };

function answerProbe(path: string, draining: boolean, probes: Probes): ProbeAnswer {
  switch (path) {
    case '/livez':
      return { status: 200 };
    case '/readyz':
      return answerReadiness(draining ? STOPPING : probes.readiness());
    case '/startupz':
      return !draining && probes.hasStarted?.() ? { status: 200 } : answerProbe('/readyz', draining, probes);
    default:
      return { status: 404 };
  }
}

function answerReadiness({ ready, why }: Readiness): ProbeAnswer {
  return ready ? { status: 200, body: `ready: ${why}` } : { status: 503, body: `not ready: ${why}` };
}
