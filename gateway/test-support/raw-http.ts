import { once } from 'node:events';
import net from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: { readonly error?: { readonly code: string; readonly message: string } };
}

export async function sendRaw(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const socket = net.connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: body.startsWith('{') ? JSON.parse(body) : {} };
}
