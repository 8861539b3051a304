import { readFile as readBytes } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { type ReadSource, summarise, titled } from '../../../test-support/read-source.ts';
import type { Document } from '../source.ts';
import { newsrooms } from './source.ts';

const SETTINGS = new Map([
  [
    'feeds',
    'https://weirworks.example/news/feed.xml|Weirworks, Ltd.|CA|weirworks.example, https://lockgate.example/newsroom/atom.xml|Lockgate Inc.|US|lockgate.example',
  ],
  ['rights', 'confirmed'],
]);

async function textOf(name: string): Promise<string> {
  return await readBytes(new URL(`documents/${name}`, import.meta.url), 'utf8');
}

async function read(text: string | Uint8Array, about: Partial<Document> = {}): Promise<ReadSource> {
  return summarise(await readDocument(newsrooms, documentOfText(text, { settings: SETTINGS, ...about })));
}

/** The only item of a feed whose other parts are as given. */
function rss(item: string, link = 'https://weirworks.example/news'): string {
  return `<rss version="2.0"><channel><title>N</title><link>${link}</link><item>${item}</item></channel></rss>`;
}

const LAUNCH =
  '<title>Weirworks Launches Gate App</title><guid isPermaLink="false">a</guid><description>Weirworks has launched Gate App, an app for locks.</description>';
const DATED = '<pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate>';

const feed = await read(await textOf('feed.xml'));

test('a release is an event of its company, told by a short passage of its text and dated by its dateline', () => {
  const launch = titled(feed, 'Weirworks Launches Sluice Sense, a Water Level Platform for Locks');
  expect(launch).toMatchObject({
    key: 'weirworks.example/weirworks-101',
    kind: 'product_launch',
    company: {
      key: 'newsroom weirworks.example',
      name: 'Weirworks, Ltd.',
      country: 'CA',
      hostnames: ['weirworks.example'],
    },
    observedFact:
      'Weirworks, Ltd. announced a launch: Weirworks Launches Sluice Sense, a Water Level Platform for Locks',
    country: 'CA',
    confidence: 0.7,
    occurredAt: new Date('2026-11-03T00:00:00Z'),
    sourceUri: 'https://weirworks.example/news/sluice-sense',
    excerpts: [
      'TORONTO, Nov. 3, 2026 /CNW/ — Weirworks Ltd., a maker of lock gates, today launched SluiceSense, a platform that watches the water level of locks.',
    ],
  });
  for (const { excerpts } of feed.observations)
    for (const excerpt of excerpts) expect([...excerpt].length).toBeLessThanOrEqual(300);
});

test('what is no event of the company, not in English, without a date or twice is left out or refused by its reason', () => {
  expect(feed.observations.map(({ title, country }) => [title, country])).toEqual([
    ['Weirworks Launches Sluice Sense, a Water Level Platform for Locks', 'CA'],
    ['Weirworks Opens New Plant in Sparks, Nevada', 'US'],
  ]);
  expect(feed.leftOut).toEqual([
    'a release that has no text beside its headline',
    'a release that tells of an event',
    'a release that is news of somebody else',
    'is not in English',
  ]);
  expect(feed.refused).toEqual(['id is that of an earlier item of the feed', 'date_published is missing']);
});

test('boilerplate and contacts are neither kept nor quoted', () => {
  for (const { content } of feed.raws) expect(content).not.toMatch(/Pat Miller|@|555|About Weirworks|new markets/);
});

test('Atom and JSON Feed say the same as RSS does, with relative addresses and bases', async () => {
  const atom = await read(await textOf('feed.atom'));
  expect(atom.observations).toMatchObject([
    {
      key: 'lockgate.example/urn:lockgate:news:7',
      kind: 'funding_round',
      title: 'Lockgate Raises $12 Million in Series A & Grows',
      occurredAt: new Date('2026-11-05T09:00:00Z'),
      sourceUri: 'https://lockgate.example/newsroom/2026/series-a.html',
      country: 'US',
    },
    {
      kind: 'partnership',
      sourceUri: 'https://lockgate.example/newsroom/2026/partners.html',
      excerpts: ['Lockgate and Weirworks have entered into a partnership to automate locks.'],
    },
  ]);
  const json = await read(await textOf('feed.json'));
  expect(json.observations).toMatchObject([
    { kind: 'facility_expansion', country: 'US', sourceUri: 'https://lockgate.example/newsroom/2026/denver.html' },
    { kind: 'product_launch', occurredAt: new Date('2026-11-07T16:00:00Z') },
  ]);
  expect(json.leftOut).toEqual(['a release that tells of an award or a ranking']);
});

test.each([
  ['ISO-8859-1', 'latin1', 'Weirworks Launches Écluse App'],
  ['UTF-16', 'utf-16', 'Weirworks Launches Écluse App'],
  ['UTF-8', 'utf-8', 'Weirworks Launches Écluse App'],
])('a feed in %s is read as it declares', async (name, charset, title) => {
  const text = `<?xml version="1.0" encoding="${name}"?>${rss(LAUNCH.replace('Gate App<', 'Écluse App<') + DATED)}`;
  const { observations } = await read(iconv.encode(text, charset));
  expect(observations.map((one) => one.title)).toEqual([title]);
});

test('a release of the future or of no readable day is refused', async () => {
  const later = await read(rss(`${LAUNCH}<pubDate>Tue, 03 Nov 2099 10:00:00 GMT</pubDate>`));
  expect(later.refused).toEqual(['occurred_at lies in the future']);
  const never = await read(rss(`${LAUNCH}<pubDate>yesterday</pubDate>`));
  expect(never.refused).toEqual(['date_published is no date']);
});

test('an unchanged item is the same record, a changed one of the same key another', async () => {
  const before = await read(rss(LAUNCH + DATED));
  const again = await read(rss(DATED + LAUNCH));
  const after = await read(rss(LAUNCH.replace('an app', 'a mobile app') + DATED));
  expect(again.raws).toEqual(before.raws);
  expect(after.raws[0]?.key).toBe(before.raws[0]?.key);
  expect(after.raws[0]?.content).not.toBe(before.raws[0]?.content);
});

test('the article behind a short item is asked for, only on hosts that the operator named, and once a version', async () => {
  const about = { feed: 'https://weirworks.example/news/feed.xml' };
  const { followUps, raws } = await read(await textOf('feed.xml'), { about });
  expect(followUps.map(({ url, once }) => [url.replace(/#.*/, ''), once])).toEqual([
    ['https://weirworks.example/news/ada-sluice', true],
    ['https://weirworks.example/news/lockgate', true],
  ]);
  expect(raws.map(({ key }) => key)).toContain('weirworks.example/weirworks-101');
  const changed = await read((await textOf('feed.xml')).replace('Appoints Ada', 'Names Ada'), { about });
  expect(changed.followUps[0]?.url).not.toBe(followUps[0]?.url);
  expect(changed.followUps[1]?.url).toBe(followUps[1]?.url);
  const short = '<title>Weirworks Launches Gate App</title><guid>a</guid>';
  const elsewhere = await read(rss(`${short + DATED}<link>https://elsewhere.example/news</link>`), { about });
  expect([elsewhere.followUps, elsewhere.leftOut]).toEqual([[], ['a release that has no text beside its headline']]);
});

test('an article gives its release alone: nothing of its page, its scripts, its boilerplate', async () => {
  const about = { feed: 'https://weirworks.example/news/feed.xml' };
  const { followUps } = await read(await textOf('feed.xml'), { about });
  const [request] = followUps;
  const article = await read(await textOf('article.html'), {
    uri: 'https://weirworks.example/news/ada-sluice',
    purpose: 'article',
    about: request?.about ?? {},
    contentType: 'text/html; charset=utf-8',
  });
  expect(article.observations).toMatchObject([
    {
      key: 'weirworks.example/https://weirworks.example/news/ada-sluice',
      kind: 'leadership_change',
      occurredAt: new Date('2026-11-01T00:00:00Z'),
      excerpts: [
        expect.stringMatching(/^TORONTO, Nov\. 1, 2026 – Weirworks Ltd\.,.* has appointed Ada Sluice as Chief/),
      ],
    },
  ]);
  expect(article.raws[0]?.content).not.toMatch(/Latest news|nothing|may launch|About|Contact|©/);
  const empty = await read('<html><body><div id="app"></div></body></html>', {
    purpose: 'article',
    about: request?.about ?? {},
  });
  expect(empty.leftOut).toEqual(['a release that has no text beside its headline']);
});

test.each([
  [
    'broken off',
    '<rss version="2.0"><channel><item><title>Weir',
    'document is no whole feed in RSS, Atom or JSON Feed',
  ],
  ['no feed', '<html><body>Not found</body></html>', 'document is no whole feed in RSS, Atom or JSON Feed'],
  ['with entities', '<!DOCTYPE rss [<!ENTITY a "b">]><rss version="2.0"/>', 'document declares a DOCTYPE'],
  [
    'of nobody',
    rss(LAUNCH + DATED, 'https://other.example/'),
    'feeds names neither the address nor the site of this feed',
  ],
])('a feed that is %s is refused as a whole', async (_, text, refusal) => {
  const { refused, raws } = await read(text);
  expect(raws).toEqual([]);
  expect(refused).toEqual([refusal]);
});

test('of a feed of ten thousand items the first three hundred are read', async () => {
  const items = Array.from(
    { length: 10_000 },
    (_, index) => `<item>${LAUNCH.replace('>a<', `>a${index}<`)}${DATED}</item>`,
  );
  const { raws, observations } = await read(rss(`<title>x</title></item>${items.join('')}<item>`));
  expect(raws.length).toBe(300);
  expect(observations.length).toBe(299);
});
