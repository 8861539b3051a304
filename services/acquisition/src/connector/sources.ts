import type { Source } from './source.ts';

export class Sources {
  readonly all: readonly Source[];
  readonly #byName: ReadonlyMap<string, Source>;

  constructor(sources: readonly Source[]) {
    this.all = [...sources].sort((a, b) => a.name.localeCompare(b.name));
    this.#byName = new Map(sources.map((source) => [source.name, source]));
    if (this.#byName.size !== sources.length) throw new Error('two sources have the same name');
  }

  find(name: string): Source | undefined {
    return this.#byName.get(name);
  }
}
