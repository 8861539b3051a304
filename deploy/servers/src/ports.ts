import { randomInt } from 'node:crypto';
import net from 'node:net';
import { StartupError } from '@ces/chassis/service/lifecycle';

/** Below the ephemeral port range, whose ports outgoing connections could take first. */
const ANY = { from: 10_000, to: 30_000 };

/** `wanted` if it is free, else the next free port above it that is not in `taken`; 0 means any. */
export async function freePort(wanted: number, taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let port = wanted || randomInt(ANY.from, ANY.to); port < 65_536; port += 1)
    if (!taken.has(port) && (await problemOf(port)) === undefined) return port;
  throw new StartupError(`no port is free at or above ${wanted}: end a process that holds one.`);
}

/** The explicitly requested port; throws a StartupError when it is unavailable. 0 means any. */
export async function askedPort(port: number): Promise<number> {
  const problem = port === 0 ? undefined : await problemOf(port);
  if (problem === undefined) return await freePort(port);
  const reason = problem === 'EADDRINUSE' ? 'is in use' : `cannot be used (${problem})`;
  throw new StartupError(
    `port ${port} ${reason}: end the process that holds it, or choose another one (npm start -- --port N, 0 for any).`,
  );
}

function problemOf(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
