import type { IngestTools } from '../ingest/tools.ts';
import type { Source } from '../sources/source.ts';

/** Registers with the record, once a process, under which terms a source publishes; before anything of it is recorded. */
export class SourceRegistrar {
  readonly #tools: Pick<IngestTools, 'record'>;
  readonly #known = new Set<string>();

  constructor(tools: Pick<IngestTools, 'record'>) {
    this.#tools = tools;
  }

  async register(source: Source): Promise<void> {
    if (!this.#known.has(source.name)) await this.registerAnew(source);
  }

  /** Registers it whatever this process has done: the record may have lost it. */
  async registerAnew(source: Source): Promise<void> {
    const { name, title, publisher = title, licence, homepage } = source;
    await this.#tools.record.registerSource({
      source: {
        name,
        title,
        publisher,
        homepage,
        licence: licence.name,
        licenceUri: licence.uri,
        attribution: licence.attribution,
      },
    });
    this.#known.add(name);
  }
}
