import http2 from 'node:http2';
import type net from 'node:net';
import { HEAD_LIMIT_MS } from '../../service/arrival.ts';

/** Told to callers first: new calls go elsewhere, and those on their way are still taken. */
const NO_LAST_STREAM = 2 ** 31 - 1;
/** Between that and the end of the session, in milliseconds: more than the way there and back, and a caller that is busy. */
const NOTICE_MS = 2_000;
/** How long after its last answer a caller is asked whether anything whole still comes from it, in milliseconds. */
const PROBE_PAUSE_MS = 5_000;
/** How long it has to answer, in milliseconds: as long as a caller gives its server. */
const PROBE_ANSWER_MS = 9_000;

/** The HTTP/2 connections of a server: each ends at a greatest age, so that callers find servers that came later. */
export class Sessions {
  readonly #open = new Set<http2.ServerHttp2Session>();
  /** Those of HTTP/1.1 and those that have not said yet what they speak, too. */
  readonly #sockets = new Set<net.Socket>();
  readonly #greatestAgeMs: number;

  /** Connections live `greatestAgeMs` milliseconds at most, up to a fifth less at random; calls on them end in peace. */
  constructor(server: http2.Http2Server | http2.Http2SecureServer, greatestAgeMs: number) {
    this.#greatestAgeMs = greatestAgeMs;
    server.on('session', (session: http2.ServerHttp2Session) => this.#add(session));
    server.on('connection', (socket: net.Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
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
    const age = this.#greatestAgeMs * (1 - Math.random() / 5);
    const retire = setTimeout(() => {
      notify(session);
      setTimeout(() => session.close(), NOTICE_MS).unref();
    }, age).unref();
    endUnlessWhole(session);
    session.once('close', () => {
      clearTimeout(retire);
      this.#open.delete(session);
    });
  }
}

function notify(session: http2.ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.goaway(http2.constants.NGHTTP2_NO_ERROR, NO_LAST_STREAM);
}

/**
 * Ends a session whose caller begins something and does not end it: its preface, or a block of headers, between whose parts
 * nothing else may come, so that a ping is not answered either. A caller that is gone is found the same way.
 */
function endUnlessWhole(session: http2.ServerHttp2Session): void {
  let limit: NodeJS.Timeout | undefined;
  let pause: NodeJS.Timeout | undefined;
  // Timers come before sockets: an answer that came while this process was busy is read first.
  const expectAnswer = (ms: number) => {
    limit = setTimeout(() => setImmediate(() => limit && session.destroy()), ms).unref();
  };
  const answered = () => {
    clearTimeout(limit);
    limit = undefined;
    pause = setTimeout(ask, PROBE_PAUSE_MS).unref();
  };
  const ask = () => {
    if (session.destroyed) return;
    expectAnswer(PROBE_ANSWER_MS);
    session.ping((error) => error ?? answered());
  };
  expectAnswer(HEAD_LIMIT_MS);
  session.once('remoteSettings', answered);
  session.once('close', () => {
    clearTimeout(limit);
    clearTimeout(pause);
    limit = undefined;
  });
}
