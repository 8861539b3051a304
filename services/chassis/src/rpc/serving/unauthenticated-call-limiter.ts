import { createContextKey, type HandlerContext, type Interceptor } from '@connectrpc/connect';
import { networkOf } from '../../limits/network.ts';
import { addressOf, refuseIncomplete } from '../peer.ts';

const MESSAGES_AT_ONCE = 64;

const arrivedKey = createContextKey<() => void>(() => undefined, { description: 'ends the arrival of a message' });

/**
 * Limits calls that authenticate inside their message. A new call evicts the oldest of the network
 * with the most, so that idle callers keep no one out.
 */
export class UnauthenticatedCallLimiter {
  readonly #arriving = new Map<string, Set<HandlerContext>>();
  #count = 0;

  /** Admits a call before its body is read. A call whose caller has left would never end. */
  admit(context: HandlerContext): void {
    if (context.signal.aborted) return;
    if (this.#count >= MESSAGES_AT_ONCE) this.#refuseOldest();
    const network = networkOf(addressOf(context) ?? '');
    const own = this.#arriving.get(network) ?? new Set();
    this.#arriving.set(network, own.add(context));
    this.#count += 1;
    const end = () => this.#remove(network, context);
    context.values.set(arrivedKey, end);
    context.signal.addEventListener('abort', end, { once: true });
  }

  /** The message is complete when this runs. */
  readonly interceptor: Interceptor = (next) => (request) => {
    request.contextValues.get(arrivedKey)();
    return next(request);
  };

  get count(): number {
    return this.#count;
  }

  #refuseOldest(): void {
    const [network, most] = [...this.#arriving].reduce((one, other) => (other[1].size > one[1].size ? other : one));
    const [oldest] = most;
    if (!oldest) return;
    this.#remove(network, oldest);
    refuseIncomplete(oldest);
  }

  #remove(network: string, context: HandlerContext): void {
    const own = this.#arriving.get(network);
    if (!own?.delete(context)) return;
    this.#count -= 1;
    if (own.size === 0) this.#arriving.delete(network);
  }
}
