import { articleText } from '../../extract/article.ts';
import { readText } from '../../extract/text.ts';
import type { Document, Parsed } from '../source.ts';
import { ITEM, type Item, recordOf } from './item.ts';
import { releaseText } from './release-text.ts';

/** Less than this is no article but what a page shows without its scripts, in UTF-16 units. */
const LEAST_TEXT = 200;
const MOST_CHARACTERS = 4 * 1024 * 1024;
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/** The release of a page; what the feed said of it where the page shows no article. */
export async function* parseArticle(document: Document): AsyncGenerator<Parsed> {
  const { about, contentType = 'text/html' } = document;
  const item: Item = JSON.parse(about[ITEM] ?? '');
  const html = await readText(document, { maxCharacters: MOST_CHARACTERS, declared: true });
  const lines = HTML.test(contentType) ? releaseText(articleText(html)).split('\n') : [];
  const text = (lines[0] === item.title ? lines.slice(1) : lines).join('\n');
  yield { type: 'record', record: recordOf(item, text.length >= LEAST_TEXT ? text : (about.text ?? '')) };
}
