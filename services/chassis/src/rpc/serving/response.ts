import http2, { type OutgoingHttpHeaders } from 'node:http2';

/** How long an answered caller may go on sending, in milliseconds, until it receives the answer. */
const LEAVE_MS = 200;

const answered = new WeakSet<http2.ServerHttp2Stream>();

export function isAnswered(stream: http2.ServerHttp2Stream): boolean {
  return answered.has(stream);
}

type Super = http2.Http2ServerResponse;

/**
 * Delays the headers until it is known if a message follows. A gRPC refusal then is one HEADERS
 * frame ("trailers-only"). Retry policies of clients and meshes check the code only in this form.
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

  /** Ends the request of an answered call, because its caller could send forever. */
  #leave(): void {
    const { stream, req } = this;
    if (req.complete) return;
    // Discards data on arrival; buffering it would cost a megabyte per call.
    stream.removeAllListeners('data').resume();
    const leave = () => {
      stream.close(http2.constants.NGHTTP2_NO_ERROR);
      // Unread data would keep the stream and its session alive.
      stream.destroy();
    };
    setTimeout(leave, LEAVE_MS).unref();
  }
}
