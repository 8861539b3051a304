import { createContextKey, type HandlerContext, type UnaryRequest } from '@connectrpc/connect';
import type { CallLifetime } from './lifetime.ts';
import type { UnaryMethod } from './methods.ts';

/** What the innermost function needs beside what interceptors see. */
interface Served {
  readonly called: UnaryMethod;
  readonly lifetime: CallLifetime;
}

export const servedKey = createContextKey<Served | undefined>(undefined);

/** What an implementation learns of its call. Headers of the answer are not sent: our services answer with messages alone. */
export class UnaryContext implements HandlerContext {
  readonly protocolName = 'connect';
  readonly requestMethod = 'POST';
  readonly #request: UnaryRequest;
  readonly #lifetime: CallLifetime;

  constructor(request: UnaryRequest, lifetime: CallLifetime) {
    this.#request = request;
    this.#lifetime = lifetime;
  }

  get method() {
    return this.#request.method;
  }
  get service() {
    return this.#request.service;
  }
  get signal() {
    return this.#request.signal;
  }
  get url() {
    return this.#request.url;
  }
  get values() {
    return this.#request.contextValues;
  }
  get requestHeader() {
    return this.#request.header;
  }
  get responseHeader() {
    return new Headers();
  }
  get responseTrailer() {
    return new Headers();
  }
  readonly timeoutMs = () => this.#lifetime.timeoutMs();
}
