import { Code, ConnectError } from '@connectrpc/connect';

/** One object for all: an abort without a reason would make an exception with a stack a call. */
const OVER = new ConnectError('the call is over', Code.Canceled);

/** A call from its first byte to its end: a signal that aborts at the deadline, when the call is given up and at its end. */
export class CallLifetime {
  readonly #controller = new AbortController();
  readonly #deadline: number | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #outer: AbortSignal | undefined;

  /** With a deadline in `timeoutMs` milliseconds, and given up with `outer`. */
  constructor(timeoutMs?: number, outer?: AbortSignal) {
    if (timeoutMs !== undefined) {
      this.#deadline = Date.now() + timeoutMs;
      this.#timer = setTimeout(this.#expire, Math.max(0, timeoutMs));
    }
    this.#outer = outer;
    if (outer?.aborted) this.#follow();
    else outer?.addEventListener('abort', this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What is left until the deadline, in milliseconds; undefined without one. */
  timeoutMs(): number | undefined {
    return this.#deadline === undefined ? undefined : this.#deadline - Date.now();
  }

  end(): void {
    this.#giveUp(OVER);
  }

  readonly #expire = () => this.#giveUp(new ConnectError('the operation timed out', Code.DeadlineExceeded));

  readonly #follow = () => this.#giveUp(ConnectError.from(this.#outer?.reason, Code.Canceled));

  #giveUp(reason: ConnectError): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#follow);
    this.#controller.abort(reason);
  }
}
