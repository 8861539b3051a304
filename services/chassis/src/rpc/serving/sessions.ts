import http2 from 'node:http2';
import type net from 'node:net';
import { HEADERS_TIMEOUT_MS, MAX_TIMEOUT_MS } from '../../service/http-timeouts.ts';

/**
 * The first GOAWAY of a graceful shutdown (RFC 9113 §6.8): new calls go elsewhere, calls in transit
 * are still accepted.
 */
const NO_LAST_STREAM = 2 ** 31 - 1;

export interface ConnectionTimes {
  /** Maximum age of a connection, in milliseconds, less up to a fifth at random. */
  readonly ageMs: number;
  /**
   * From the GOAWAY to the end of the session, in milliseconds; more than a round trip and a busy
   * caller's delay.
   */
  readonly noticeMs: number;
  /**
   * How long calls may then continue, in milliseconds; more than any deadline, so that only unread
   * answers are lost.
   */
  readonly graceMs: number;
  readonly pingEveryMs: number;
  /**
   * How long an idle caller may leave pings unanswered, or its side of an ended connection open, in
   * milliseconds.
   */
  readonly silenceMs: number;
}

export const CONNECTION_TIMES: ConnectionTimes = {
  ageMs: 60_000,
  noticeMs: 2_000,
  graceMs: MAX_TIMEOUT_MS + 10_000,
  pingEveryMs: 5_000,
  silenceMs: 14_000,
};

/**
 * Limits the age of HTTP/2 connections, so that callers find new servers. Node closes a session
 * only after its last call, however long that takes.
 */
export class Sessions {
  readonly #open = new Set<http2.ServerHttp2Session>();
  /** Includes HTTP/1.1 connections and those before protocol negotiation. */
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

  /** Asks every caller to reconnect. */
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
 * Ends an idle session whose caller leaves its preface or a header block unfinished. No frame may
 * interrupt either, so the caller cannot answer a ping.
 *
 * Calls have their own bounds, and TCP keep-alive finds a caller that disappears during calls.
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
  // No pings during a call: unread answers would delay them, and TCP keep-alive needs an empty send
  // queue.
  const ping = () => calls > 0 || session.destroyed || session.ping((error) => error ?? hear());
  const pings = setInterval(ping, pingEveryMs).unref();
  session.setTimeout(HEADERS_TIMEOUT_MS);
  session.once('remoteSettings', hear);
  session.on('timeout', () => {
    silent = true;
    // Node runs timers before socket reads, so data that arrived while the process was busy counts
    // first.
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
