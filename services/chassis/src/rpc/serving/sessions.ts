import http2 from 'node:http2';
import type net from 'node:net';
import { HEAD_LIMIT_MS, MAX_TIMEOUT_MS } from '../../service/arrival.ts';

/** Told to callers first: new calls go elsewhere, and those on their way are still taken. */
const NO_LAST_STREAM = 2 ** 31 - 1;

export interface ConnectionTimes {
  /** Greatest age of a connection, in milliseconds; up to a fifth less at random. */
  readonly ageMs: number;
  /** Between the notice and the end of a session, in milliseconds: more than the way there and back, and a caller that is busy. */
  readonly noticeMs: number;
  /** How long calls may then go on, in milliseconds: longer than any deadline, so that only answers that nobody takes are left. */
  readonly graceMs: number;
  /** How often a caller is pinged, in milliseconds. */
  readonly pingEveryMs: number;
  /** How long a caller without a call may answer no ping, and one whose connection was ended leave its own side open, in milliseconds. */
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
 * The HTTP/2 connections of a server: each ends at a greatest age, so that callers find servers that came later. Node closes a
 * session after the last of its calls, however long that takes.
 */
export class Sessions {
  readonly #open = new Set<http2.ServerHttp2Session>();
  /** Those of HTTP/1.1 and those that have not said yet what they speak, too. */
  readonly #sockets = new Set<net.Socket>();
  readonly #times: ConnectionTimes;

  constructor(server: http2.Http2Server | http2.Http2SecureServer, times: ConnectionTimes) {
    this.#times = times;
    server.on('session', (session: http2.ServerHttp2Session) => this.#add(session));
    server.on('connection', (socket: net.Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // Node waits for ever for callers to end their side of a connection, too.
    const endWhole = (socket: net.Socket) =>
      socket.once('finish', () => setTimeout(() => socket.destroy(), times.silenceMs).unref());
    server.on('connection', endWhole).on('secureConnection', endWhole);
  }

  /** Asks every caller to come by another connection. */
  notify(): void {
    for (const session of this.#open) notify(session);
  }

  /** Ends each connection with its last call. */
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
    endUnlessWhole(session, this.#times);
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
 * Ends a session without a call whose caller begins something and does not end it: its preface, or a block of headers, between
 * whose parts nothing else may come, so that a ping is not answered either. Calls have bounds of their own, and Node answers no ping
 * of a session that closes; a caller that is lost with calls under way is found by the kernel.
 */
function endUnlessWhole(session: http2.ServerHttp2Session, { pingEveryMs, silenceMs }: ConnectionTimes): void {
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
  // None during a call: its answer waits in the connection until it is taken, and the kernel asks only where nothing waits.
  const ping = () => calls > 0 || session.destroyed || session.ping((error) => error ?? hear());
  const pings = setInterval(ping, pingEveryMs).unref();
  session.setTimeout(HEAD_LIMIT_MS);
  session.once('remoteSettings', hear);
  session.on('timeout', () => {
    silent = true;
    // Timers come before sockets: an answer, or a call, that came while this process was busy is read first.
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
