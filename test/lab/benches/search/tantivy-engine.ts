import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Engine, FilledPeer } from './engine.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { processorClock } from './processor-clock.ts';
import { startTantivy, type TantivyProcess } from './tantivy-process.ts';

const BATCH = 500;

/** Tantivy on disk in its own process, called through pipes, without and with company profiles. */
export async function fillTantivy(record: GeneratedRecord, program: string): Promise<FilledPeer> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'search-tantivy-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const tantivy = opening.use(startTantivy(program, folder));
  const { observation, company } = record;
  await send(tantivy, record.observations, (at) => ({ observation: observationLine(observation(at)) }));
  await send(tantivy, record.companies, (at) => {
    const { id, profile } = company(at);
    return { company: { id: Number(id), profile } };
  });
  await tantivy.ask('finish');
  const bytes = await sizeOf(folder);
  const stack = opening.move();
  return {
    engines: [engineOf(tantivy, 'tantivy', false), engineOf(tantivy, 'tantivy with context', true)],
    bytes,
    clock: processorClock(undefined, tantivy.pid),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

function engineOf(tantivy: TantivyProcess, name: string, hasContext: boolean): Engine {
  return {
    name,
    hasContext,
    async ask(words, { since, kind, country }) {
      const search = { words, with_context: hasContext, since: since?.getTime(), kind, country };
      const { ids, micros } = (await tantivy.ask({ search })) as { ids: number[]; micros: number };
      return { ids: () => ids, ownMs: micros / 1000 };
    },
  };
}

async function send(tantivy: TantivyProcess, total: number, lineOf: (at: number) => object): Promise<void> {
  for (let at = 0; at < total; at += BATCH) {
    const count = Math.min(BATCH, total - at);
    await tantivy.tell(Array.from({ length: count }, (_, offset) => lineOf(at + offset)));
  }
}

function observationLine(observation: ReturnType<GeneratedRecord['observation']>) {
  const { id, companyId, kind, country, occurredAt, observedFact } = observation;
  const occurred = occurredAt ? timestampMs(occurredAt) : 0;
  return { id: Number(id), company: Number(companyId), kind, country, occurred, text: observedFact };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
