import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PRELOADED = path.join(import.meta.dirname, 'resolve-names.mjs');

/** The names of services and the addresses behind them, in a file that every process of the drill looks into. */
export class Names {
  readonly #file: string;
  readonly #addresses = new Map<string, readonly string[]>();

  constructor(directory: string) {
    this.#file = path.join(directory, 'names.json');
    this.#write();
  }

  /** What a process needs in its environment to find them. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PRELOADED}`, CES_DRILL_NAMES: this.#file };
  }

  set(service: string, addresses: readonly string[]): void {
    this.#addresses.set(nameOf(service), addresses);
    this.#write();
  }

  /** Whole or not at all: others read it at any time. */
  #write(): void {
    const next = `${this.#file}.next`;
    writeFileSync(next, JSON.stringify(Object.fromEntries(this.#addresses)));
    renameSync(next, this.#file);
  }
}

export function nameOf(service: string): string {
  return `${service}.replicas.test`;
}
