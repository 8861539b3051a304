import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { TriedPage } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { Refusal } from '../refusal.ts';

const EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/json/i, 'json'],
  [/xml/i, 'xml'],
  [/csv/i, 'csv'],
  [/html/i, 'html'],
];

/** Adds requests in `.exchange.json`. No secrets, but perhaps published contact persons. */
export async function keepExchanges(folder: string, source: string, pages: readonly TriedPage[]): Promise<string[]> {
  await mkdir(folder, { recursive: true }).catch(() => {
    throw new Refusal(`${folder} cannot be created: choose a folder that you may write to.`);
  });
  const files: string[] = [];
  for (const [index, page] of pages.entries()) {
    if (page.exchange.length === 0) continue;
    const stem = path.join(folder, `${source}-${index + 1}`);
    const body = `${stem}.${extensionOf(page.contentType)}`;
    await writeFile(body, page.exchange);
    await writeFile(`${stem}.exchange.json`, `${JSON.stringify(describe(page), null, 2)}\n`);
    files.push(body);
  }
  return files;
}

function describe(page: TriedPage): Readonly<Record<string, unknown>> {
  return {
    uri: page.uri,
    content_type: page.contentType,
    fetched_at: page.fetchedAt ? timestampDate(page.fetchedAt).toISOString() : null,
    sha256: createHash('sha256').update(page.exchange).digest('hex'),
    whole: !page.exchangeCut,
  };
}

function extensionOf(contentType: string): string {
  return EXTENSIONS.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'txt';
}
