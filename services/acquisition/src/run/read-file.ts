import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Document, Source } from '../connector/source.ts';
import { TooLarge } from '../connector/unreadable.ts';
import { counted } from '../fetch/fetcher.ts';
import { type IngestTools, ingestDocument } from '../ingest/ingest-document.ts';
import { ActiveRun } from './active-run.ts';
import type { SourceRegistrar } from './register-source.ts';

interface GivenFile {
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

const CHUNK_BYTES = 256 * 1024;
/** A fixed size, or a multiple of the file's, well above the ratio of text. */
const UNPACKED = { bytes: 64 * 1024 * 1024, times: 200 };

/** `packed`: bytes read so far. Throws TooLarge for a bomb. */
export async function* decompressed(
  bytes: AsyncIterable<Uint8Array>,
  packed: () => number,
): AsyncGenerator<Uint8Array> {
  const plain = pipeline(Readable.from(bytes), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  let size = 0;
  for await (const chunk of plain as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > UNPACKED.bytes && size > packed() * UNPACKED.times)
      throw new TooLarge(`the file unpacks to more than ${UNPACKED.times} times its size`);
    yield chunk;
  }
}
