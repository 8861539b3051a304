import http2 from 'node:http2';
import { isAnswered } from './response.ts';

/**
 * A call over HTTP/2 that is over without a word once its answer is out. Connect would else abort its signal by an exception
 * with a stack of its own, which was a twelfth of what a call costs its server, and nobody listens any more.
 */
export class RpcRequest extends http2.Http2ServerRequest {
  override emit(...event: readonly unknown[]): boolean {
    if (event[0] === 'close' && isAnswered(this.stream)) return false;
    return super.emit(...(event as Parameters<http2.Http2ServerRequest['emit']>));
  }
}
