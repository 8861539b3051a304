import net, { type AddressInfo } from 'node:net';

/** `wanted` if it is free, else the next free port above it; 0 asks for any. */
export async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; port < 65_536; port += 1) {
    const found = await tryListen(port);
    if (found !== undefined) return found;
  }
  throw new Error(`no free port at or above ${wanted}`);
}

/** Whether a port of the loopback address is free. */
export async function isFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== undefined;
}

function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const { port: bound } = server.address() as AddressInfo;
      server.close(() => resolve(bound));
    });
  });
}
