import { createHash } from 'node:crypto';
import { plainLine } from '../../extract/plain.ts';
import { readText } from '../../extract/text.ts';
import { firstWebAddress } from '../../extract/web-address.ts';
import type { Document, FetchRequest, Parsed, RunContext } from '../source.ts';
import { parseArticle } from './article.ts';
import { type FeedItem, type ReadFeed, readFeedItems } from './feed-items.ts';
import { type Feed, hostsOf, readFeeds } from './feeds.ts';
import { readHeadline } from './headline.ts';
import { ITEM, type Item, recordOf, textOf } from './item.ts';
import { isEnglish } from './language.ts';
import { readRelease } from './release.ts';

const MOST_FEED_BYTES = 8 * 1024 * 1024;
const MOST_ARTICLE_BYTES = 4 * 1024 * 1024;
/** A text of the feed itself that is as long is the release, in UTF-16 units: its page is not asked for. */
const WHOLE_TEXT = 400;
const MOST_SUMMARY = 2_000;
const MOST_TITLE = 300;

export function requestFeeds({ settings }: RunContext): FetchRequest[] {
  return readFeeds(settings).map(({ address }) => ({
    url: address,
    about: { feed: address },
    headers: {
      accept: 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
    },
    maxBytes: MOST_FEED_BYTES,
    independent: true,
  }));
}

/** The items of a feed, or the article behind one of them. */
export async function* parseNewsroom(document: Document): AsyncGenerator<Parsed> {
  if (document.purpose === 'article') yield* parseArticle(document);
  else yield* parseFeedDocument(document);
}

async function* parseFeedDocument(document: Document): AsyncGenerator<Parsed> {
  const feed = await readFeed(document);
  if (typeof feed === 'string') return yield refused('feed', 'document', feed);
  const owner = ownerOf(document, feed);
  if (!owner) return yield refused('feed', 'feeds', 'names neither the address nor the site of this feed');
  const known = new Set<string>();
  for (const [index, one] of feed.items.entries()) {
    const item = toItem(one, owner, document);
    const key = item.id ?? `item ${index + 1}`;
    if (known.has(key)) yield refused(key.slice(0, 400), 'id', 'is that of an earlier item of the feed');
    else yield toParsed(item, one, owner, document);
    known.add(key);
  }
}

/** The feed, or what is wrong with it. */
async function readFeed(document: Document): Promise<ReadFeed | string> {
  const text = await readText(document, { declared: true, maxCharacters: MOST_FEED_BYTES });
  if (/<!DOCTYPE/i.test(text)) return 'declares a DOCTYPE';
  try {
    return readFeedItems(text, document.uri);
  } catch {
    return 'is no whole feed in RSS, Atom or JSON Feed';
  }
}

/** Whose feed it is: the setting says it for what was fetched; a file is known by the address or site that it names. */
function ownerOf({ about, settings }: Document, { links }: ReadFeed): Feed | undefined {
  const feeds = readFeeds(settings);
  if (about.feed !== undefined) return feeds.find(({ address }) => address === about.feed);
  const named = feeds.find(({ address }) => links.includes(address));
  if (named) return named;
  const hosts = links.map((link) => new URL(link).hostname);
  return feeds.find((feed) => hostsOf(feed).some((host) => hosts.includes(host)));
}

function toItem(one: FeedItem, { name, country, hostname }: Feed, document: Document): Item {
  const id = one.id ?? one.link;
  return {
    id,
    title: plainLine(one.title).slice(0, MOST_TITLE).toWellFormed(),
    published: one.published,
    link: firstWebAddress([one.link, document.uri], `https://${hostname}/`),
    language: one.language,
    owner: { name, country, hostname },
  };
}

/** A record where the headline tells of no event or the feed's own text tells it too; else the page of the article is asked for. */
function toParsed(item: Item, one: FeedItem, owner: Feed, document: Document): Parsed {
  const isEvent = isEnglish(item.title, item.language) && readHeadline(item.title).type === 'event';
  const content = isEvent ? textOf(one.content, item.title) : '';
  const summary = isEvent ? textOf(one.summary, item.title) : '';
  const text = content.length >= summary.length ? content : summary;
  const isTold = text.length >= WHOLE_TEXT || readRelease(item.title, text, owner.name).type === 'event';
  const isFile = document.about.feed === undefined;
  if (!isEvent || isTold || isFile || !one.link || !hostsOf(owner).includes(new URL(one.link).hostname))
    return { type: 'record', record: recordOf(item, text) };
  return { type: 'follow_up', request: requestArticle(item, one, text) };
}

/** Asked for once: another title or date of change makes it another request, by a fragment that is never sent. */
function requestArticle(item: Item, { updated = '' }: FeedItem, text: string): FetchRequest {
  const version = createHash('sha256')
    .update(`${item.title}\n${item.published}\n${updated}`)
    .digest('hex')
    .slice(0, 16);
  return {
    url: `${item.link}#${version}`,
    purpose: 'article',
    about: { [ITEM]: JSON.stringify(item), text: text.slice(0, MOST_SUMMARY).toWellFormed() },
    headers: { accept: 'text/html, application/xhtml+xml' },
    maxBytes: MOST_ARTICLE_BYTES,
    once: true,
    independent: true,
  };
}

function refused(key: string, field: string, reason: string): Parsed {
  return { type: 'refused', refusal: { key, field, reason } };
}
