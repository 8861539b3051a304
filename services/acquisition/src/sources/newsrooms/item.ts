import { createHash } from 'node:crypto';
import { keptContent } from '../../extract/kept-content.ts';
import { fieldNames } from '../../extract/members.ts';
import { plainText } from '../../extract/plain.ts';
import type { RawRecord } from '../source.ts';
import type { Feed } from './feeds.ts';
import { releaseText } from './release-text.ts';

/** What a feed says of a release beside its text. */
export interface Item {
  readonly id: string | undefined;
  readonly title: string;
  readonly published: string | undefined;
  readonly link: string;
  readonly language: string | undefined;
  readonly owner: Omit<Feed, 'address'>;
}

/** Under this name an item travels to the document of its article. */
export const ITEM = 'item';
const MOST_KEY = 400;

/** The text of HTML, without boilerplate, contacts and the headline over it. */
export function textOf(html: string, title: string): string {
  const lines = releaseText(plainText(html)).split('\n');
  return (lines[0] === title ? lines.slice(1) : lines).join('\n');
}

/** What is kept of an item, by the names of JSON Feed: its headline and date, and its text where it tells of an event. */
export function recordOf(item: Item, text: string): RawRecord {
  const { published, title, ...rest } = item;
  const named = { ...rest, title: title || undefined, date_published: published, text: text || undefined };
  const content = keptContent(named);
  return { key: keyOf(item), uri: item.link, content, fields: fieldNames(JSON.parse(content)) };
}

/** Of the company and what the feed calls the item, so that all feeds of a company share it. */
function keyOf({ owner, id = '' }: Item): string {
  if (id === '') return '';
  const key = `${owner.hostname}/${id}`;
  if (key.length <= MOST_KEY) return key;
  return `${owner.hostname}/${createHash('sha256').update(id).digest('hex')}`;
}
