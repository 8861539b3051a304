import { Code, ConnectError, createContextKey, type HandlerContext, type Interceptor } from '@connectrpc/connect';

/** Messages of callers who have shown nothing yet that may arrive at once in one process. */
const MESSAGES_AT_ONCE = 64;

const arrivedKey = createContextKey<() => void>(() => undefined, { description: 'ends the arrival of a message' });

/**
 * Bounds what is kept for those who show who they are inside their message alone: so many messages, each within the bound of
 * its method, are read at once; the next are refused, and may be sent again.
 */
export class Strangers {
  #arriving = 0;

  /** Takes a call in before its body is read; throws when there are too many such bodies. */
  admit(context: HandlerContext): void {
    if (this.#arriving >= MESSAGES_AT_ONCE)
      throw new ConnectError(
        'Too many calls bring who they are in their message: say it in the header authorization, or try again.',
        Code.Unavailable,
      );
    this.#arriving += 1;
    let isArriving = true;
    const end = () => {
      if (isArriving) this.#arriving -= 1;
      isArriving = false;
    };
    context.values.set(arrivedKey, end);
    context.signal.addEventListener('abort', end, { once: true });
  }

  /** From here on the message is whole. */
  readonly interceptor: Interceptor = (next) => (request) => {
    request.contextValues.get(arrivedKey)();
    return next(request);
  };
}
