import { createContextKey, type HandlerContext, type Interceptor } from '@connectrpc/connect';
import { networkOf } from '../../limits/network.ts';
import { addressOf, refuseUnread } from '../peer.ts';

/** Messages of callers who have shown nothing yet that may arrive at once in one process. */
const MESSAGES_AT_ONCE = 64;

const arrivedKey = createContextKey<() => void>(() => undefined, { description: 'ends the arrival of a message' });

/**
 * Bounds what is kept for those who show who they are inside their message alone: so many messages, each within the bound of
 * its method, are read at once. One more takes the place of the oldest of the network that has the most, which is refused
 * and may be sent again: who opens calls and sends nothing keeps nobody out.
 */
export class Strangers {
  /** By network; each in the order in which they came. */
  readonly #arriving = new Map<string, Set<HandlerContext>>();
  #count = 0;

  /** Takes a call in before its body is read; not one whose caller has left, which would never end. */
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

  /** From here on the message is whole. */
  readonly interceptor: Interceptor = (next) => (request) => {
    request.contextValues.get(arrivedKey)();
    return next(request);
  };

  /** Messages that are arriving. */
  get count(): number {
    return this.#count;
  }

  #refuseOldest(): void {
    const [network, most] = [...this.#arriving].reduce((one, other) => (other[1].size > one[1].size ? other : one));
    const [oldest] = most;
    if (!oldest) return;
    this.#remove(network, oldest);
    refuseUnread(oldest);
  }

  #remove(network: string, context: HandlerContext): void {
    const own = this.#arriving.get(network);
    if (!own?.delete(context)) return;
    this.#count -= 1;
    if (own.size === 0) this.#arriving.delete(network);
  }
}
