import { parseFeed } from 'feedsmith';
import { isWebAddress } from '../../extract/web-address.ts';

/** What one item of a feed says, whatever the format; texts may hold HTML. */
export interface FeedItem {
  readonly id: string | undefined;
  /** Resolved; undefined where it names no web address. */
  readonly link: string | undefined;
  readonly title: string;
  readonly published: string | undefined;
  readonly updated: string | undefined;
  readonly language: string | undefined;
  /** The whole text where the feed carries it. */
  readonly content: string;
  readonly summary: string;
}

export interface ReadFeed {
  /** Addresses by which the feed names its site and itself. */
  readonly links: readonly string[];
  readonly items: readonly FeedItem[];
}

type AnyFeed = ReturnType<typeof parse>;
type FeedOf<Format extends AnyFeed['format']> = Extract<AnyFeed, { format: Format }>['feed'];

/** Items from the top of a feed, which is where the new ones are. */
const MOST_ITEMS = 300;
/** Of an id, in UTF-16 units. */
const MOST_CHARACTERS_OF_ID = 2_000;

/**
 * RSS 2.0 (and RDF), Atom and JSON Feed by one shape. Entities of a DOCTYPE are never expanded. Throws what the parser throws
 * where it is none of them, or not whole.
 */
export function readFeedItems(text: string, uri: string): ReadFeed {
  const read = parse(text);
  switch (read.format) {
    case 'rss':
      return fromRss(read.feed, uri);
    case 'atom':
      return fromAtom(read.feed, uri);
    case 'json':
      return fromJson(read.feed, uri);
    case 'rdf':
      return fromRdf(read.feed, uri);
  }
}

function parse(text: string) {
  return parseFeed<string>(text, { maxItems: MOST_ITEMS });
}

function fromRdf(feed: FeedOf<'rdf'>, uri: string): ReadFeed {
  return {
    links: addresses([feed.link], uri),
    items: (feed.items ?? []).map((item) => ({
      id: bounded(item.rdf?.about ?? item.link),
      link: resolve(item.link, [uri]),
      title: item.title ?? '',
      published: first(item.dc?.dates),
      updated: undefined,
      language: first(item.dc?.languages),
      content: item.content?.encoded ?? '',
      summary: item.description ?? '',
    })),
  };
}

function fromRss(feed: FeedOf<'rss'>, uri: string): ReadFeed {
  const base = resolve(feed.link, [uri]) ?? uri;
  return {
    links: addresses([feed.link, ...(feed.atom?.links ?? []).map((link) => link.href)], uri),
    items: (feed.items ?? []).map((item) => {
      const permalink = item.guid?.isPermaLink === false ? undefined : item.guid?.value;
      return {
        id: bounded(item.guid?.value),
        link: resolve(item.link, [item.xml?.base, base]) ?? resolve(permalink, []),
        title: item.title ?? '',
        published: item.pubDate ?? first(item.dc?.dates) ?? item.atom?.published,
        updated: item.atom?.updated ?? first(item.dcterms?.modified),
        language: first(item.dc?.languages) ?? feed.language,
        content: item.content?.encoded ?? '',
        summary: item.description ?? '',
      };
    }),
  };
}

function fromAtom(feed: FeedOf<'atom'>, uri: string): ReadFeed {
  const bases = (more: string | undefined) => [more, feed.xml?.base, uri];
  return {
    links: addresses(
      (feed.links ?? []).map((link) => link.href),
      resolve(feed.xml?.base, [uri]) ?? uri,
    ),
    items: (feed.entries ?? []).map((entry) => {
      const links = entry.links ?? [];
      const page = links.find((link) => (link.rel ?? 'alternate') === 'alternate') ?? links[0];
      return {
        id: bounded(entry.id),
        link: resolve(page?.href, bases(entry.xml?.base)),
        title: entry.title?.value ?? '',
        published: entry.published ?? entry.updated,
        updated: entry.updated,
        language: entry.xml?.lang ?? feed.xml?.lang,
        content: entry.content?.value ?? '',
        summary: entry.summary?.value ?? '',
      };
    }),
  };
}

function fromJson(feed: FeedOf<'json'>, uri: string): ReadFeed {
  return {
    links: addresses([feed.home_page_url, feed.feed_url], uri),
    items: (feed.items ?? []).map((item) => ({
      id: bounded(item.id),
      link: resolve(item.url, [feed.home_page_url, uri]),
      title: item.title ?? '',
      published: item.date_published ?? item.date_modified,
      updated: item.date_modified,
      language: item.language ?? feed.language,
      content: item.content_html ?? item.content_text ?? '',
      summary: item.summary ?? '',
    })),
  };
}

/** An address relative to the innermost base there is, each base relative to the next. */
function resolve(link: string | undefined, bases: readonly (string | undefined)[]): string | undefined {
  const base = bases.reduceRight<string | undefined>(
    (outer, inner) => (inner !== undefined && URL.canParse(inner, outer) ? new URL(inner, outer).href : outer),
    undefined,
  );
  if (link === undefined || !URL.canParse(link.trim(), base)) return undefined;
  const address = new URL(link.trim(), base);
  address.hash = '';
  for (const name of [...address.searchParams.keys()]) if (name.startsWith('utm_')) address.searchParams.delete(name);
  return isWebAddress(address.href) ? address.href : undefined;
}

function addresses(links: readonly (string | undefined)[], uri: string): string[] {
  return links.flatMap((link) => resolve(link, [uri]) ?? []);
}

function bounded(id: string | undefined): string | undefined {
  return id === undefined || id.trim() === '' ? undefined : id.trim().slice(0, MOST_CHARACTERS_OF_ID);
}

function first(values: string | readonly (string | undefined)[] | undefined): string | undefined {
  return typeof values === 'string' ? values : values?.[0];
}
