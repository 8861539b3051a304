import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { failureOf } from '@ces/chassis/rpc/failure';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { SourceRun } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import type { Context } from '../operator/context.ts';
import { silentService } from '../operator/rpc-refusal.ts';
import { type Progress, startProgress } from '../output/progress.ts';
import { count } from '../output/table.ts';
import { Refusal } from '../refusal.ts';

const CHUNK_BYTES = 64 * 1024;
const LOOK_EVERY_MS = 1_000;

export async function ingestFile(context: Context, source: string, file: string): Promise<SourceRun> {
  const { size } = await stat(file).catch(() => {
    throw new Refusal(`${file} cannot be opened: check its name and permissions.`);
  });
  const client = context.stack.client('acquisition', AcquisitionAdminService);
  const name = path.basename(file);
  const sent = { bytes: 0 };
  using progress = startProgress(context.stderr, `${source} ${name}`);
  const over = new AbortController();
  const watching = watch(context, { source, name, size, sent }, progress, over.signal);
  try {
    const options = { timeoutMs: 0, signal: context.signal };
    const { run } = await client
      .ingestDocument(parts(source, name, size, file, sent), options)
      .catch((error: unknown) => explain(error, context.signal));
    if (!run) throw new Refusal('The acquisition service returned no run.');
    return run;
  } finally {
    over.abort();
    await watching;
  }
}

/** acquisition has recorded what it had read by then. */
function explain(error: unknown, signal: AbortSignal): never {
  if (failureOf(error) || silentService(error)) throw error;
  const why = signal.aborted ? 'Interrupted' : 'The acquisition service stopped while it read the file';
  throw new Refusal(`${why}. The records read so far are stored: ingest the file again to continue.`, { cause: error });
}

async function* parts(source: string, name: string, size: number, file: string, sent: { bytes: number }) {
  yield { part: { case: 'file' as const, value: { source, name, size: BigInt(size) } } };
  for await (const value of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    sent.bytes += value.length;
    yield { part: { case: 'chunk' as const, value } };
  }
}

interface Watched {
  readonly source: string;
  readonly name: string;
  readonly size: number;
  readonly sent: { readonly bytes: number };
}

/** The bytes sent are ahead of the records read. */
async function watch(
  context: Context,
  { source, name, size, sent }: Watched,
  progress: Progress,
  over: AbortSignal,
): Promise<void> {
  const begun = performance.now();
  const client = context.stack.client('acquisition', AcquisitionAdminService);
  while (!over.aborted) {
    await pause(LOOK_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
    const { runs } = await client.listRuns({ source, limit: 1 }, { signal: over }).catch(() => ({ runs: [] }));
    const records = runs[0]?.document === name ? runs[0].records : 0n;
    const rate = Math.round(Number(records) / ((performance.now() - begun) / 1000));
    progress.at(`${count(records)} records, ${count(rate)}/s`, size === 0 ? 1 : sent.bytes / size);
  }
}
