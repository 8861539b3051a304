import type { CountryName } from '@ces/proto/catalog';
import { DateTime } from 'luxon';
import type { Mapped } from '../../../connector/mapped.ts';
import type { Document, FetchRequest, Parsed, RunContext, Source } from '../../../connector/source.ts';
import { isObject, type JsonMembers } from '../../../extract/formats/json.ts';
import { readJsonObjects } from '../../../extract/formats/json-stream.ts';
import type { Members } from '../../../extract/formats/members.ts';
import { plainLine } from '../../../extract/formats/plain.ts';
import { chooseExcerpt, quotable } from '../../../extract/passages/excerpt.ts';
import { isPerson } from '../../../extract/passages/is-person.ts';
import { keptRecord } from '../../../extract/passages/kept-content.ts';
import { readInstant } from '../../../extract/values/dates.ts';
import { pathPart } from '../../../extract/values/web-address.ts';

const HOST = 'api.fda.gov';

/** openFDA returns at most 1,000 records a page and skips at most 25,000. */
const LIMIT = 1_000;
const LAST_SKIP = 25_000;
/** Decisions are published weeks after their date. */
const DAYS_AGAIN = 60;
const DAYS_AT_FIRST = 365;

interface Decisions {
  readonly endpoint: '510k' | 'pma';
  /** `supplement`: a field that extends the number. */
  readonly number: string;
  readonly supplement?: string;
  readonly page: (number: string) => string;
}

const NOT_KEPT = [
  ...['contact', 'address_1', 'address_2', 'street_1', 'street_2', 'postal_code', 'zip_code', 'zip', 'zip_ext'],
  ...['registration_number', 'fei_number'],
];

type Own = Pick<Source, 'name' | 'title' | 'fields' | 'extract' | 'map'>;

export function decisionSource(decisions: Decisions, own: Own): Source {
  return {
    publisher: 'U.S. Food and Drug Administration, openFDA',
    homepage: `https://open.fda.gov/apis/device/${decisions.endpoint}/`,
    licence: {
      name: 'Creative Commons CC0 1.0, by the terms of openFDA',
      uri: 'https://open.fda.gov/license/',
      attribution: 'openFDA, U.S. Food and Drug Administration',
    },
    kinds: ['product_launch'],
    verified: true,
    mode: 'scheduled',
    hosts: [HOST],
    politeness: { requestsPerSecond: 1, obeysRobots: false, maxRequestsPerRun: 30, maxRequestsPerDay: 200 },
    schedule: { everyMinutes: 10_080, jitterMinutes: 720 },
    extractorVersion: 1,
    mappingVersion: 1,
    requests: (context) => requestDecisions(decisions, context),
    parse: (document) => parseDecisions(decisions, document),
    ...own,
  };
}

function requestDecisions({ endpoint }: Decisions, { now, watermark }: RunContext): FetchRequest[] {
  const today = DateTime.fromJSDate(now, { zone: 'utc' });
  const seen = DateTime.fromISO(watermark ?? '', { zone: 'utc' });
  const from = seen.isValid ? seen.minus({ days: DAYS_AGAIN }) : today.minus({ days: DAYS_AT_FIRST });
  return [pageOf(endpoint, { from: from.toISODate() ?? '', to: today.toISODate() ?? '' }, 0)];
}

function pageOf(endpoint: string, window: { readonly from: string; readonly to: string }, skip: number): FetchRequest {
  const query = new URLSearchParams({
    search: `decision_date:[${window.from} TO ${window.to}]`,
    sort: 'decision_date:asc',
    limit: String(LIMIT),
    skip: String(skip),
  });
  return { url: `https://${HOST}/device/${endpoint}.json?${query}`, about: window };
}

async function* parseDecisions(decisions: Decisions, document: Document): AsyncGenerator<Parsed> {
  let position = 0;
  let newest = '';
  let followUp: FetchRequest | undefined;
  for await (const { member, value } of readJsonObjects(document, ['meta', 'results'])) {
    if (!isObject(value)) continue;
    if (member === 'meta') followUp = nextPage(decisions, document, value);
    else {
      position += 1;
      const { decision_date: decided } = value;
      if (typeof decided === 'string' && decided > newest && /^\d{4}-\d{2}-\d{2}$/.test(decided)) newest = decided;
      yield toRecord(decisions, value, position);
    }
  }
  if (followUp) yield { type: 'follow_up', request: followUp };
  // A file has no request window, so it must not move the watermark.
  if (document.about.from && newest !== '') yield { type: 'newest', watermark: newest };
}

function nextPage({ endpoint }: Decisions, { about }: Document, meta: JsonMembers): FetchRequest | undefined {
  const { skip, limit, total } = isObject(meta.results) ? meta.results : {};
  const { from, to } = about;
  if (!from || !to || typeof skip !== 'number' || typeof limit !== 'number' || typeof total !== 'number')
    return undefined;
  const next = skip + limit;
  return limit > 0 && next < total && next <= LAST_SKIP ? pageOf(endpoint, { from, to }, next) : undefined;
}

function toRecord(decisions: Decisions, decision: JsonMembers, position: number): Parsed {
  const text = (name: string | undefined) => {
    const value = name === undefined ? undefined : decision[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const number = text(decisions.number);
  const supplement = text(decisions.supplement);
  const key = [number || `decision ${position}`, supplement].filter(Boolean).join('/');
  return keptRecord({ key, uri: decisions.page(pathPart((number + supplement).slice(0, 40))) }, decision, NOT_KEPT);
}

const WHY = 'A device that may be sold now brings needs in manufacturing, marketing, distribution and compliance.';

interface Launch {
  readonly country: CountryName;
  /** As in `had SOLO-SLED cleared by the FDA …`. */
  readonly says: string;
  /** Includes the decision number, so that two devices of one day get two titles. */
  readonly title: string;
}

export function mapLaunch(decision: Members, launch: Launch, text: string): Mapped {
  const name = plainLine(decision.need('applicant'));
  if (isPerson(name)) return { type: 'left_out', reason: 'the applicant is a person' };
  return {
    type: 'observation',
    company: { name, country: launch.country, hostnames: [], identifiers: [] },
    kind: 'product_launch',
    observedFact: `${name} ${launch.says}`,
    whyItMayMatter: WHY,
    country: launch.country,
    confidence: 0.9,
    occurredAt: readInstant('decision_date', decision.need('decision_date'), { formats: ['yyyyMMdd'] }),
    title: launch.title,
    eventIdentifiers: [],
    categories: [],
    excerpts: [quotable('applicant', chooseExcerpt(text))],
  };
}

/** As in ` (Radiographic film cassette)`; empty if it equals `device`. */
export function kindOf(decision: Members, device: string): string {
  const kind = plainLine(decision.text('openfda.device_name') ?? decision.text('generic_name'));
  return kind === '' || kind.toLowerCase() === device.toLowerCase() ? '' : ` (${kind})`;
}
