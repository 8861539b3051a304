import type { Document, FetchRequest, Parsed, RunContext } from '../../connector/source.ts';
import { readJsonItems } from '../../extract/formats/json-stream.ts';
import { fieldNames } from '../../extract/formats/members.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress, isWebAddress } from '../../extract/values/web-address.ts';
import { readEmployers } from '../families/jobs/employers.ts';

export const HOMEPAGE = 'https://github.com/lever/postings-api';

/** Duplicates of the texts, as HTML or as parts of each other. */
const LEFT_OUT = ['additional', 'description', 'opening', 'openingPlain', 'descriptionBody', 'descriptionBodyPlain'];
const FORM = 'applyUrl';

export function requestSites({ settings }: RunContext): FetchRequest[] {
  return readEmployers(settings.get('sites')).map(({ board }) => ({
    url: `https://api.lever.co/v0/postings/${encodeURIComponent(board)}?mode=json`,
    about: { site: board },
  }));
}

export async function* parseSite(document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  for await (const item of readJsonItems(document)) {
    position += 1;
    yield toRecord(item, document, position);
  }
}

function toRecord(item: unknown, document: Document, position: number): Parsed {
  const posting: Readonly<Record<string, unknown>> = typeof item === 'object' && item !== null ? { ...item } : {};
  const site = siteOf(posting.hostedUrl) ?? document.about.site;
  const employer = readEmployers(document.settings.get('sites')).find((one) => one.board === site);
  const id = typeof posting.id === 'string' ? posting.id.trim() : '';
  const content = keptContent({ ...posting, site, employer }, [...LEFT_OUT, FORM]);
  return {
    type: 'record',
    record: {
      key: id ? `${site ?? 'site'}/${id}`.slice(0, 400) : `posting ${position}`,
      uri: firstWebAddress([posting.hostedUrl, document.uri], HOMEPAGE),
      content,
      fields: fieldNames(JSON.parse(content)),
    },
  };
}

function siteOf(address: unknown): string | undefined {
  if (!isWebAddress(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  return hostname.endsWith('lever.co') ? /^\/([\w.-]+)\//.exec(pathname)?.[1] : undefined;
}
