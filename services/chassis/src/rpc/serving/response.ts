import http2, { type OutgoingHttpHeaders } from 'node:http2';

/** How long a caller that is answered may go on sending, in milliseconds: until the answer has reached it. */
const LEAVE_MS = 200;

const answered = new WeakSet<http2.ServerHttp2Stream>();

/** Whether the whole answer of a call was handed over. */
export function isAnswered(stream: http2.ServerHttp2Stream): boolean {
  return answered.has(stream);
}

type Super = http2.Http2ServerResponse;

/**
 * An answer over HTTP/2 whose headers wait until it is known whether a message follows: a gRPC refusal is then one frame of
 * headers ("trailers only"), the only form in which the retry policies of clients and meshes look at its code.
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

  /** Nobody waits for the rest of a message that is answered already: its caller may go on sending for ever. */
  #leave(): void {
    const { stream, req } = this;
    if (req.complete) return;
    // It is thrown away as it comes: kept, it would be a megabyte a call.
    stream.removeAllListeners('data').resume();
    const leave = () => {
      stream.close(http2.constants.NGHTTP2_NO_ERROR);
      // What has arrived and is never read would keep the stream, and its session with it.
      stream.destroy();
    };
    setTimeout(leave, LEAVE_MS).unref();
  }
}
