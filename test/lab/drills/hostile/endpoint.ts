import type { Shape } from './shapes.ts';

/** A way in, with the shapes that are sent through it and a harmless one. */
export interface Endpoint {
  readonly name: string;
  readonly harmless: string;
  readonly shapes: () => readonly Shape[];
  /** Resolves with the HTTP status of the answer, or what stands for it; below 500, whatever is sent. */
  readonly send: (text: string) => Promise<number>;
}

/** Where calls go, and with whose API key. */
export interface Target {
  readonly gateway: string;
  readonly operations: string;
  readonly token: string;
}
