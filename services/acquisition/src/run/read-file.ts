import type { Document, Source } from '../connector/source.ts';
import { counted } from '../fetch/fetcher.ts';
import { ingestDocument } from '../ingest/ingest-document.ts';
import type { IngestTools } from '../ingest/tools.ts';
import { ActiveRun } from './active-run.ts';
import { decompressed } from './decompress.ts';
import type { SourceRegistrar } from './register-source.ts';

export interface GivenFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly settings: ReadonlyMap<string, string>;
}

/** Returns the id of the run, which has the outcome. */
export async function readFile(
  tools: IngestTools & { readonly registrar: SourceRegistrar },
  source: Source,
  file: GivenFile,
  signal: AbortSignal,
): Promise<bigint> {
  const run = await ActiveRun.begin(tools, source, { trigger: 'file', document: file.name }, signal);
  await run.perform(async () => {
    await tools.registrar.register(source);
    const document: Document = {
      uri: file.name,
      about: {},
      contentType: undefined,
      fetchedAt: tools.clock.now(),
      settings: file.settings,
      body: plainBytes(file.name, counted(file.bytes, run.counts), () => run.counts.bytes),
    };
    const { counts } = run;
    run.absorb(await ingestDocument(tools, document, { source, counts, signal, onBatch: () => run.checkIn() }));
  });
  return run.id;
}

function plainBytes(name: string, bytes: AsyncIterable<Uint8Array>, packed: () => number): AsyncIterable<Uint8Array> {
  return name.endsWith('.gz') ? decompressed(bytes, packed) : bytes;
}
