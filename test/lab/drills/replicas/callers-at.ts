import { readFile } from 'node:fs/promises';
import type { Replica } from './named-replicas.ts';

/** A connection that its caller still holds open. */
export interface CallerAt {
  /** The caller's. */
  readonly port: number;
  /** More lies unread than a greeting: only at a process that does not read does this mean anything. */
  readonly sentCalls: boolean;
}

/** What a client of HTTP/2 sends before it hears anything, in bytes, with room to spare; the first call is longer. */
const GREETING_BYTES = 150;
const ESTABLISHED = '01';

/** Connections to the RPC port of a process that neither side has closed, as the kernel lists them. */
export async function callersAt({ host, url }: Pick<Replica, 'host' | 'url'>): Promise<readonly CallerAt[]> {
  const here = `${hexadecimal(host)}:${hexadecimalPort(Number(new URL(url).port))}`;
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local, remote = '', state, queues = ''] = line.trim().split(/\s+/);
    if (local !== here || state !== ESTABLISHED) return [];
    const unread = Number.parseInt(queues.split(':')[1] ?? '0', 16);
    return [{ port: Number.parseInt(remote.split(':')[1] ?? '0', 16), sentCalls: unread > GREETING_BYTES }];
  });
}

/** As the kernel writes it on a little-endian machine. */
function hexadecimal(host: string): string {
  return host
    .split('.')
    .toReversed()
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

function hexadecimalPort(port: number): string {
  return port.toString(16).padStart(4, '0').toUpperCase();
}
