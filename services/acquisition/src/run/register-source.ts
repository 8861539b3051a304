import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SourceSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Source } from '../connector/source.ts';
import type { IngestTools } from '../ingest/tools.ts';

/** Once a process, before anything is recorded. */
export class SourceRegistrar {
  readonly #tools: Pick<IngestTools, 'record'>;
  readonly #known = new Set<string>();

  constructor(tools: Pick<IngestTools, 'record'>) {
    this.#tools = tools;
  }

  async register(source: Source): Promise<void> {
    if (!this.#known.has(source.name)) await this.registerAgain(source);
  }

  /** Lookup may have lost it. */
  async registerAgain(source: Source): Promise<void> {
    await this.#tools.record.registerSource({ source: termsOf(source) });
    this.#known.add(source.name);
  }
}

/** When a complete reading began. Lookup shows it as coverage. */
export async function reportReading({ record }: Pick<IngestTools, 'record'>, source: Source, at: Date): Promise<void> {
  await record.registerSource({ source: { ...termsOf(source), readAt: timestampFromDate(at) } });
}

function termsOf({ name, title, publisher = title, licence, homepage }: Source): MessageInitShape<typeof SourceSchema> {
  return {
    name,
    title,
    publisher,
    homepage,
    licence: licence.name,
    licenceUri: licence.uri,
    attribution: licence.attribution,
  };
}
