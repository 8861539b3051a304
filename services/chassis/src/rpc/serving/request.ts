import http2 from 'node:http2';
import { isAnswered } from './response.ts';

/**
 * Suppresses `close` of an answered HTTP/2 call. Connect would abort the signal with a new
 * exception, which was a twelfth of the server's cost per call.
 */
export class RpcRequest extends http2.Http2ServerRequest {
  override emit(...event: readonly unknown[]): boolean {
    if (event[0] === 'close' && isAnswered(this.stream)) return false;
    return super.emit(...(event as Parameters<http2.Http2ServerRequest['emit']>));
  }
}
