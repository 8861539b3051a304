import net, { type AddressInfo } from 'node:net';
import { listen } from '../src/service/listen.ts';

export async function freePort(): Promise<number> {
  const free = net.createServer();
  await listen(free, '127.0.0.1', 0);
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  return port;
}
