import net from 'node:net';
import { StartupError } from '@ces/chassis/service/lifecycle';

const ANSWER_WITHIN_MS = 5_000;

/** Checks that the NATS server in the environment answers; undefined when none is named. */
export async function checkOutsideNats(url: string | undefined): Promise<string | undefined> {
  if (!url) return undefined;
  if (!/^(nats|tls):\/\//.test(url) || !URL.canParse(url))
    throw new StartupError('NATS_URL must be an address that starts with nats:// or tls://.');
  const { hostname, port } = new URL(url);
  const problem = await problemOf(hostname, Number(port || 4222));
  if (problem === undefined) return url;
  throw new StartupError(
    `NATS_URL: no server answers at ${hostname}:${port || 4222} (${problem}): check the server, or unset NATS_URL to start one locally.`,
  );
}

function problemOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: host.replace(/^\[|\]$/g, ''), port });
    const finish = (problem: string | undefined) => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => finish('no answer'));
    socket.once('connect', () => finish(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  });
}
