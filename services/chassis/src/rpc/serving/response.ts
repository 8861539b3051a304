import http2, { type OutgoingHttpHeaders } from 'node:http2';

const LEAVE_MS = 200;

const answered = new WeakSet<http2.ServerHttp2Stream>();

export function isAnswered(stream: http2.ServerHttp2Stream): boolean {
  return answered.has(stream);
}

type Super = http2.Http2ServerResponse;

/**
 * Retry policies check the code of a refusal only in one HEADERS frame ("trailers-only"), so the
 * headers wait until it is known if a message follows.
 */
export class RpcResponse extends http2.Http2ServerResponse {
  #head: OutgoingHttpHeaders | undefined;

  override writeHead(status: number, ...[headers]: readonly unknown[]): this {
    this.#head = { ':status': status, ...(headers as OutgoingHttpHeaders | undefined) };
    return this;
  }

  override write(...given: readonly unknown[]): boolean {
    this.#begin({ waitForTrailers: true });
    return super.write(...(given as Parameters<Super['write']>));
  }

  override addTrailers(trailers: OutgoingHttpHeaders): void {
    if (this.#head) Object.assign(this.#head, trailers);
    else super.addTrailers(trailers);
  }

  override end(...given: readonly unknown[]): this {
    const isWhole = given.length === 0 || typeof given[0] === 'function';
    this.#begin(isWhole ? { endStream: true } : { waitForTrailers: true });
    super.end(...(given as Parameters<Super['end']>));
    answered.add(this.stream);
    this.#leave();
    return this;
  }

  #begin(options: http2.ServerStreamResponseOptions): void {
    const head = this.#head;
    const { stream } = this;
    this.#head = undefined;
    if (head && !stream.headersSent && !stream.destroyed && !stream.closed) stream.respond(head, options);
  }

  /** An answered caller could go on sending forever. */
  #leave(): void {
    const { stream, req } = this;
    if (req.complete) return;
    // Buffering would cost a megabyte per call.
    stream.removeAllListeners('data').resume();
    const leave = () => {
      stream.close(http2.constants.NGHTTP2_NO_ERROR);
      // Unread data would keep the stream and its session alive.
      stream.destroy();
    };
    setTimeout(leave, LEAVE_MS).unref();
  }
}
