import type { Shape } from './shapes.ts';

export interface Endpoint {
  readonly name: string;
  readonly harmless: string;
  readonly shapes: () => readonly Shape[];
  /** Resolves with the HTTP status or its equivalent. It must be below 500 for any text. */
  readonly send: (text: string) => Promise<number>;
}

export interface Target {
  readonly gateway: string;
  readonly operations: string;
  readonly token: string;
}
