import { readFile } from 'node:fs/promises';
import type { Replica } from './named-replicas.ts';

export interface CallerAt {
  readonly port: number;
  /**
   * Whether more than the HTTP/2 greeting is unread. Meaningful only if the process does not read.
   */
  readonly sentCalls: boolean;
}

/** Bytes of an HTTP/2 client's preface and settings, with a margin. The first request is longer. */
const GREETING_BYTES = 150;
const ESTABLISHED = '01';

/** Established connections to a process's RPC port, from /proc/net/tcp. */
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

/** The format of /proc/net/tcp on a little-endian machine. */
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
