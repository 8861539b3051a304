import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { Document, FetchRequest, RawRecord, Refusal, Source } from '../src/connector/source.ts';
import { type ReadRecord, readRecord } from '../src/ingest/read-record.ts';

export interface ReadFile {
  readonly raws: readonly RawRecord[];
  readonly records: readonly ReadRecord[];
  readonly refusals: readonly Refusal[];
  readonly followUps: readonly FetchRequest[];
}

export async function readFile(source: Source, file: string, about: Partial<Document> = {}): Promise<ReadFile> {
  return await readDocument(source, { ...documentOf(file), ...about });
}

export async function readDocument(source: Source, document: Document): Promise<ReadFile> {
  const raws: RawRecord[] = [];
  const refusals: Refusal[] = [];
  const followUps: FetchRequest[] = [];
  for await (const parsed of source.parse(document)) {
    if (parsed.type === 'record') raws.push(parsed.record);
    if (parsed.type === 'refused') refusals.push(parsed.refusal);
    if (parsed.type === 'follow_up') followUps.push(parsed.request);
  }
  const records = raws.map((raw) => readRecord(source, raw, document.fetchedAt));
  return { raws, records, refusals: [...refusals, ...records.flatMap((record) => record.refusals)], followUps };
}

export function documentOfText(text: string | Uint8Array, about: Partial<Document> = {}): Document {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return { ...NOTHING, body: stream([bytes]), fetchedAt: new Date(), ...about };
}

const NOTHING = {
  settings: new Map<string, string>(),
  uri: 'https://source.example/document',
  about: {},
  contentType: undefined,
};

function documentOf(file: string): Document {
  const bytes = createReadStream(file);
  const body = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  return { ...NOTHING, uri: file, fetchedAt: new Date(), body };
}

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
