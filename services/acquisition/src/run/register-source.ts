import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { retry } from '@ces/chassis/service/retry';
import type { Logger } from '@ces/chassis/telemetry/log';
import { untraced } from '@ces/chassis/telemetry/span';
import type { SourceSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Source } from '../connector/source.ts';
import type { IngestTools } from '../ingest/ingest-document.ts';

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

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export function startRegistration(
  registrar: SourceRegistrar,
  sources: readonly Source[],
  logger: Logger,
): AsyncDisposable {
  const closing = new AbortController();
  const registering = registerAll(registrar, sources, logger, closing.signal);
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await registering;
    },
  };
}

async function registerAll(
  registrar: SourceRegistrar,
  sources: readonly Source[],
  logger: Logger,
  closing: AbortSignal,
): Promise<void> {
  const register = async () => {
    for (const source of sources) await registrar.register(source);
  };
  await untraced(() =>
    retry(register, {
      attempts: Number.POSITIVE_INFINITY,
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      signal: closing,
      onFailure: (error) =>
        logger.warn({ err: error }, 'the record does not take the terms of sources; tried again later'),
    }),
  ).catch((error: unknown) => {
    if (!closing.aborted) throw error;
  });
}
