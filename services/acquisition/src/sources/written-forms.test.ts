import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../test-support/read-file.ts';
import { type ReadSource, summarise } from '../../test-support/read-source.ts';
import { COMPANY_DOCUMENTS, DOCUMENTS, documentFile } from '../../test-support/source-documents.ts';
import type { Source } from '../connector/source.ts';

const ALL = [...DOCUMENTS, ...COMPANY_DOCUMENTS].map(({ source, path }) => ({ path, source }));

async function read(source: Source, bytes: Uint8Array): Promise<Omit<ReadSource, 'raws' | 'records' | 'refusals'>> {
  const about = { uri: 'https://source.example/document', fetchedAt: new Date('2026-12-01T00:00:00Z') };
  const {
    raws: _,
    records: _records,
    refusals: _refusals,
    ...rest
  } = summarise(await readDocument(source, documentOfText(bytes, about)));
  return rest;
}

test.each(ALL)('$path says the same with other ends of lines', async ({ source, path }) => {
  const bytes = await readFile(documentFile(path));
  const lines = bytes.toString('latin1').replace(/\r\n/g, '\n');
  const [withLf, withCrLf] = [lines, lines.replaceAll('\n', '\r\n')].map((text) => Buffer.from(text, 'latin1'));
  expect(await read(source, withCrLf ?? bytes)).toEqual(await read(source, withLf ?? bytes));
});

test.each(ALL)('$path says the same with a byte order mark and in UTF-16', async ({ source, path }) => {
  const bytes = await readFile(documentFile(path));
  const expected = await read(source, bytes);
  const text = `\ufeff${bytes.toString('utf8').replace(/^\ufeff/, '')}`;
  for (const charset of ['utf8', 'utf16le'] as const)
    expect(await read(source, Buffer.from(text, charset)), charset).toEqual(expected);
});
