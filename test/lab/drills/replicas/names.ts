import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PRELOADED = path.join(import.meta.dirname, 'resolve-names.mjs');

export class Names {
  readonly #file: string;
  readonly #addresses = new Map<string, readonly string[]>();

  constructor(directory: string) {
    this.#file = path.join(directory, 'names.json');
    this.#write();
  }

  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PRELOADED}`, CES_DRILL_NAMES: this.#file };
  }

  set(service: string, addresses: readonly string[]): void {
    this.#addresses.set(nameOf(service), addresses);
    this.#write();
  }

  /** Replaces the file atomically, because others read it at any time. */
  #write(): void {
    const next = `${this.#file}.next`;
    writeFileSync(next, JSON.stringify(Object.fromEntries(this.#addresses)));
    renameSync(next, this.#file);
  }
}

export function nameOf(service: string): string {
  return `${service}.replicas.test`;
}
