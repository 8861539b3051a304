import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A browser without a window, driven by its own protocol. */
export interface Chromium extends AsyncDisposable {
  /**
   * Opens a page that stands at `origin` although no server has it, so that it may call that server, and resolves with
   * what `expression` comes to there; a promise is awaited.
   */
  evaluateAt<T>(origin: string, html: string, expression: string): Promise<T>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly requestId?: string };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Send = (method: string, parameters?: object) => Promise<Readonly<Record<string, unknown>>>;

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--remote-debugging-port=0',
];

export async function startChromium(program: string): Promise<Chromium> {
  await using cleanup = new AsyncDisposableStack();
  const profile = await mkdtemp(path.join(os.tmpdir(), 'ces-chromium-'));
  cleanup.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  cleanup.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const { host } = new URL(await debuggingAddress(child.stderr));
  const kept = cleanup.move();
  return {
    async evaluateAt(origin, html, expression) {
      const target = await fetch(`http://${host}/json/new?about:blank`, { method: 'PUT' });
      const { webSocketDebuggerUrl } = (await target.json()) as { readonly webSocketDebuggerUrl: string };
      const socket = new WebSocket(webSocketDebuggerUrl);
      await once(socket, 'open');
      try {
        return (await evaluate(speak(socket), { socket, origin, html, expression })) as never;
      } finally {
        socket.close();
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function debuggingAddress(messages: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(messages)) {
    const [, address] = /^DevTools listening on (ws:.*)$/.exec(line) ?? [];
    if (address) {
      messages.resume();
      return address;
    }
  }
  throw new Error('Chromium ended before it could be driven');
}

function speak(socket: WebSocket): Send {
  const waiting = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result = {}, error } = JSON.parse(String(data)) as Message;
    const waiter = waiting.get(id);
    if (error) waiter?.reject(new Error(error.message));
    else waiter?.resolve(result);
    waiting.delete(id);
  });
  return (method, params = {}) => {
    last += 1;
    const waiter = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    waiting.set(last, waiter);
    socket.send(JSON.stringify({ id: last, method, params }));
    return waiter.promise;
  };
}

interface Evaluation {
  readonly socket: WebSocket;
  readonly origin: string;
  readonly html: string;
  readonly expression: string;
}

async function evaluate(send: Send, { socket, origin, html, expression }: Evaluation): Promise<unknown> {
  const loaded = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as Message;
    if (method === 'Page.loadEventFired') loaded.resolve();
    if (method === 'Fetch.requestPaused')
      void send('Fetch.fulfillRequest', {
        requestId: params?.requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'content-type', value: 'text/html; charset=utf-8' }],
        body: Buffer.from(html).toString('base64'),
      });
  });
  await send('Page.enable');
  // Certificates of tests are of an authority that no browser knows.
  await send('Security.setIgnoreCertificateErrors', { ignore: true });
  await send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/` }] });
  await send('Page.navigate', { url: `${origin}/` });
  await loaded.promise;
  await send('Fetch.disable');
  const evaluated = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (evaluated.exceptionDetails) throw new Error(JSON.stringify(evaluated.exceptionDetails));
  return (evaluated.result as { readonly value?: unknown }).value;
}
