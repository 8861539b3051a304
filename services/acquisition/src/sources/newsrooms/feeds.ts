import type { CountryName } from '@ces/proto/catalog';
import { hostnameOf } from '../../extract/hostnames.ts';
import type { SourceSetting } from '../source.ts';

/** A feed that an operator named, and whose newsroom it is. */
export interface Feed {
  readonly address: string;
  readonly name: string;
  readonly country: CountryName;
  readonly hostname: string;
}

/** A name in the setting, in UTF-16 units. */
const MOST_NAME_CHARACTERS = 200;

export const FEEDS_SETTING: SourceSetting = {
  name: 'feeds',
  description: 'feeds as address|name|country|hostname of the company, separated by commas; all four parts are needed',
  required: true,
  maxCharacters: 50_000,
  check: findMistake,
};

/** By setting it an operator confirms what nobody else can know. */
export const RIGHTS_SETTING: SourceSetting = {
  name: 'rights',
  description: '`confirmed`: the publishers of the feeds permit that they are read and briefly quoted',
  required: true,
  check: (value) => (value === 'confirmed' ? undefined : 'rights must be the word confirmed.'),
};

/** The feeds of the setting; what is none was refused when it was set. */
export function readFeeds(settings: ReadonlyMap<string, string>): Feed[] {
  return entriesOf(settings.get('feeds') ?? '').flatMap((entry) => readFeed(entry) ?? []);
}

/** Hosts that the feeds may be fetched from, and their articles. */
export function hostsOfFeeds(settings: ReadonlyMap<string, string>): string[] {
  return [...new Set(readFeeds(settings).flatMap(hostsOf))];
}

/** The feed's own host and the company's with and without `www.`: what the operator wrote, nothing that a feed says. */
export function hostsOf({ address, hostname }: Feed): string[] {
  return [new URL(address).hostname, hostname, `www.${hostname}`];
}

function findMistake(value: string): string | undefined {
  const wrong = entriesOf(value).findIndex((entry) => !readFeed(entry));
  if (wrong < 0) return undefined;
  return `Feed ${wrong + 1} must be address|name|CA or US|hostname, such as https://acme.com/news.xml|Acme Inc.|US|acme.com.`;
}

/** Names and addresses may hold a comma: an entry begins at an address. */
function entriesOf(value: string): string[] {
  return value.split(/,\s*(?=https?:\/\/)/i).filter((entry) => entry.trim() !== '');
}

function readFeed(entry: string): Feed | undefined {
  const [address = '', name = '', country = '', website = '', ...more] = entry.split('|').map((part) => part.trim());
  if (more.length > 0 || !URL.canParse(address) || name === '' || name.length > MOST_NAME_CHARACTERS) return undefined;
  const { href, protocol, hostname: host, username, password } = new URL(address);
  if ((protocol !== 'http:' && protocol !== 'https:') || username || password || !hostnameOf(host)) return undefined;
  const hostname = hostnameOf(website.replace(/,$/, ''))?.replace(/^www\./, '');
  if (!hostname || (country !== 'CA' && country !== 'US')) return undefined;
  return { address: href, name, country, hostname };
}
