import net from 'node:net';
import { broken, type Finding, well } from './check.ts';

const TIMEOUT_MS = 3_000;

interface ServerInfo {
  readonly version?: string;
  readonly jetstream?: boolean;
}

/** Reads the INFO line, which a NATS server sends first on every connection. */
export async function checkNats(address: string | undefined): Promise<Finding> {
  const mend = 'Start nats-server with JetStream, or check NATS_URL. Until then background work waits for the sweeper.';
  if (!address) return broken('no address is set', 'Set NATS_URL.');
  try {
    const { version, jetstream } = await greeting(new URL(address));
    return jetstream
      ? well(`nats-server ${version}, JetStream on`)
      : broken(`nats-server ${version} without JetStream`, 'Start it with --jetstream.');
  } catch (error) {
    return broken((error as Error).message, mend);
  }
}

function greeting({ hostname, port }: URL): Promise<ServerInfo> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port) || 4222, hostname);
    let text = '';
    const end = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(new Error(`${hostname}:${port} does not answer`)));
    socket.once('error', () => end(new Error(`nothing answers at ${hostname}:${port}`)));
    socket.once('close', () => end(new Error(`${hostname}:${port} is not a NATS server`)));
    socket.on('data', (chunk) => {
      text += chunk;
      const info = /^INFO (\{.*\})\s*\r?\n/.exec(text)?.[1];
      if (info === undefined) return;
      socket.removeAllListeners('close');
      socket.destroy();
      resolve(JSON.parse(info) as ServerInfo);
    });
  });
}
