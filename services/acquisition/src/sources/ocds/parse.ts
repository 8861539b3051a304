import { refused } from '../../connector/refuse.ts';
import type { Document, Parsed } from '../../connector/source.ts';
import { readHead } from '../../extract/formats/head.ts';
import { isObject, type JsonMembers } from '../../extract/formats/json.ts';
import { readJsonItems, readJsonLines, readJsonObjects } from '../../extract/formats/json-stream.ts';
import { releaseRecord } from './release.ts';

/** Without JSON in the first line, the document is a package. */
const MAX_FIRST_LINE = 1024 * 1024;

/** Releases that wait for their publisher, which a package writes first. */
const MAX_WAITING = 2_000;

const MOST_LEVELS = 6;

export async function* parsePackage(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (head) => /^\[|\n/.test(head), MAX_FIRST_LINE);
  if (head.startsWith('[')) yield* parseItems(document);
  else if (isJson(head.split('\n', 1)[0] ?? '')) yield* parseLines(document);
  else yield* parseMembers(document);
}

async function* parseItems(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document)) {
    position += 1;
    yield* packageRecords(item, undefined, document, `item ${position}`);
  }
}

async function* parseLines(document: Document): AsyncGenerator<Parsed> {
  for await (const item of readJsonLines(document)) {
    if (item.type === 'refused') yield item;
    else yield* packageRecords(item.value, undefined, document, `line ${item.line}`);
  }
}

async function* parseMembers(document: Document): AsyncGenerator<Parsed> {
  let publisher: JsonMembers | undefined;
  let position = 0;
  const waiting: { readonly value: unknown; readonly position: string }[] = [];
  for await (const { member, value } of readJsonObjects(document, ['publisher', 'releases', 'records'])) {
    if (member === 'publisher') publisher = isObject(value) ? value : undefined;
    else {
      position += 1;
      waiting.push({ value, position: `${member} ${position}` });
    }
    if (!publisher && waiting.length < MAX_WAITING) continue;
    for (const one of waiting.splice(0)) yield* packageRecords(one.value, publisher, document, one.position);
  }
  for (const one of waiting) yield* packageRecords(one.value, publisher, document, one.position);
}

function* packageRecords(
  value: unknown,
  outer: JsonMembers | undefined,
  document: Document,
  position: string,
  level = 1,
): Generator<Parsed> {
  if (!isObject(value) || level > MOST_LEVELS) {
    const reason = isObject(value) ? `is packed more than ${MOST_LEVELS} times` : 'is no object';
    yield refused(position, 'release', reason);
    return;
  }
  const publisher = isObject(value.publisher) ? value.publisher : outer;
  const inner = isObject(value.compiledRelease) ? [value.compiledRelease] : (value.releases ?? value.records);
  if (!Array.isArray(inner)) yield releaseRecord(value, publisher, document, position);
  else
    for (const [index, release] of inner.entries())
      yield* packageRecords(release, publisher, document, `${position}.${index + 1}`, level + 1);
}

function isJson(line: string): boolean {
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}
