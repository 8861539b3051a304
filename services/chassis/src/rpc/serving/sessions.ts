import http2 from 'node:http2';
import type net from 'node:net';
import { HEADERS_TIMEOUT_MS, MAX_TIMEOUT_MS } from '../../service/http-timeouts.ts';

/** First GOAWAY of a graceful shutdown (RFC 9113 §6.8): calls in transit are still accepted. */
const NO_LAST_STREAM = 2 ** 31 - 1;

export interface ConnectionTimes {
  /** Less up to a fifth at random. */
  readonly ageMs: number;
  /** Time from GOAWAY to the end of the session: a round trip and a busy caller's delay. */
  readonly noticeMs: number;
  /** More than any deadline, so that only unread answers are lost. */
  readonly graceMs: number;
  readonly pingEveryMs: number;
  /** Bounds unanswered pings of an idle caller, and its side of an ended connection. */
  readonly silenceMs: number;
}

export const CONNECTION_TIMES: ConnectionTimes = {
  ageMs: 60_000,
  noticeMs: 2_000,
  graceMs: MAX_TIMEOUT_MS + 10_000,
  pingEveryMs: 5_000,
  silenceMs: 14_000,
};

/** Limits the age of connections. Node closes a session only after its last call. */
export class Sessions {
  readonly #open = new Set<http2.ServerHttp2Session>();
  readonly #sockets = new Set<net.Socket>();
  readonly #times: ConnectionTimes;

  constructor(server: http2.Http2Server | http2.Http2SecureServer, times: ConnectionTimes) {
    this.#times = times;
    server.on('session', (session: http2.ServerHttp2Session) => this.#add(session));
    server.on('connection', (socket: net.Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // Node would wait forever for callers to close their side.
    const endWhole = (socket: net.Socket) =>
      socket.once('finish', () => setTimeout(() => socket.destroy(), times.silenceMs).unref());
    server.on('connection', endWhole).on('secureConnection', endWhole);
  }

  notify(): void {
    for (const session of this.#open) notify(session);
  }

  close(): void {
    for (const session of this.#open) if (!session.closed) session.close();
  }

  destroy(): void {
    for (const session of this.#open) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  #add(session: http2.ServerHttp2Session): void {
    this.#open.add(session);
    const { ageMs, noticeMs, graceMs } = this.#times;
    let next: NodeJS.Timeout;
    const after = (ms: number, step: () => void) => {
      next = setTimeout(step, ms).unref();
    };
    const retire = () => {
      notify(session);
      after(noticeMs, end);
    };
    const end = () => {
      session.close();
      after(graceMs, () => session.destroy());
    };
    after(ageMs * (1 - Math.random() / 5), retire);
    resetUnlessComplete(session, this.#times);
    session.once('close', () => {
      clearTimeout(next);
      this.#open.delete(session);
    });
  }
}

function notify(session: http2.ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.goaway(http2.constants.NGHTTP2_NO_ERROR, NO_LAST_STREAM);
}

/**
 * A caller that leaves its preface or a header block unfinished cannot answer a ping, because no
 * frame may interrupt either.
 */
function resetUnlessComplete(session: http2.ServerHttp2Session, { pingEveryMs, silenceMs }: ConnectionTimes): void {
  let calls = 0;
  let silent = false;
  const hear = () => {
    silent = false;
    session.setTimeout(silenceMs);
  };
  const endIfSilent = () => {
    if (silent && calls === 0) session.destroy();
    else hear();
  };
  // Unread answers would delay pings, and TCP keep-alive needs an empty send queue.
  const ping = () => calls > 0 || session.destroyed || session.ping((error) => error ?? hear());
  const pings = setInterval(ping, pingEveryMs).unref();
  session.setTimeout(HEADERS_TIMEOUT_MS);
  session.once('remoteSettings', hear);
  session.on('timeout', () => {
    silent = true;
    // Node runs timers before socket reads; data that arrived meanwhile counts first.
    setImmediate(endIfSilent);
  });
  session.on('stream', (stream) => {
    calls += 1;
    stream.once('close', () => {
      calls -= 1;
    });
  });
  session.once('close', () => clearInterval(pings));
}
