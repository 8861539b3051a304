import { refused } from '../../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed } from '../../../connector/source.ts';
import { readJsonItems } from '../../../extract/formats/json-stream.ts';
import { carried, jsonContent, Members } from '../../../extract/formats/members.ts';
import { readText } from '../../../extract/formats/text.ts';
import { readXml } from '../../../extract/formats/xml.ts';
import { firstWebAddress } from '../../../extract/values/web-address.ts';
import { ACCESSION, CIK, COMPANY, FILED, FORM } from './header.ts';
import { filingPage, submissionAddress } from './submission.ts';
import { HOMEPAGE } from './terms.ts';

interface Entry {
  readonly form: string | undefined;
  readonly company: string | undefined;
  readonly cik: string | undefined;
  readonly accession: string | undefined;
  readonly filed: string | undefined;
}

interface Wanted {
  readonly forms: ReadonlySet<string>;
  readonly fields: readonly string[];
}

const OWN_FIELDS = [FORM, COMPANY, CIK, ACCESSION, FILED];
const MAX_TITLE = 500;
const PAGE = 100;
const MAX_SUBMISSION_BYTES = 32 * 1024 * 1024;

/** An entry of a feed, which only announces a filing. */
export const ENTRY = 'entry';

export function feedRequests(form: string, pages: number): FetchRequest[] {
  return Array.from({ length: pages }, (_, page) => {
    const query = new URLSearchParams({ action: 'getcurrent', type: form, owner: 'include', output: 'atom' });
    query.set('start', String(page * PAGE));
    query.set('count', String(PAGE));
    return { url: `https://www.sec.gov/cgi-bin/browse-edgar?${query}` };
  });
}

export async function* parseAtom(document: Document, wanted: Wanted): AsyncGenerator<Parsed> {
  const feed = readXml(await readText(document), ['entry']);
  const entries = feed.list('feed.entry').map((entry) => {
    const { company, cik } = readTitle(entry.text('title')?.slice(0, MAX_TITLE) ?? '');
    return {
      form: entry.text('category.@term'),
      company,
      cik,
      accession: /accession-number=([\d-]+)$/.exec(entry.text('id') ?? '')?.[1],
      filed: filedIn(entry.text('summary.#text')),
    };
  });
  yield* announce(entries, wanted);
}

export async function* parseList(document: Document, wanted: Wanted): AsyncGenerator<Parsed> {
  const seen = new Set<string>();
  for await (const item of readJsonItems(document)) {
    const entry = new Members(typeof item === 'object' && item !== null ? { ...item } : {});
    const read = {
      form: entry.text('form'),
      company: entry.text('name'),
      cik: entry.text('cik'),
      accession: entry.text('acc'),
      filed: filedIn(entry.text('summary')),
    };
    yield* announce([read], wanted, seen);
  }
}

function* announce(entries: readonly Entry[], wanted: Wanted, seen = new Set<string>()): Generator<Parsed> {
  for (const [index, entry] of entries.entries()) {
    const { form, accession } = entry;
    if (form !== undefined && !wanted.forms.has(form))
      yield refused(accession ?? form, FORM, 'is none that is read here');
    else if (accession === undefined || !seen.has(accession)) {
      if (accession !== undefined) seen.add(accession);
      yield* toParsed(entry, index, wanted);
    }
  }
}

function* toParsed(entry: Entry, index: number, { fields }: Wanted): Generator<Parsed> {
  const { form, company, cik, accession, filed } = entry;
  const known = cik && /^\d+$/.test(cik) && accession && /^[\d-]+$/.test(accession) ? { cik, accession } : undefined;
  yield {
    type: 'record',
    record: {
      key: `${ENTRY} ${accession ?? index + 1}`.slice(0, 400),
      uri: firstWebAddress([known && filingPage(known.cik, known.accession)], HOMEPAGE),
      content: jsonContent({ [ENTRY]: entry }),
      fields: [
        ...carried({ [FORM]: form, [COMPANY]: company, [CIK]: cik, [ACCESSION]: accession, [FILED]: filed }),
        ...fields.filter((name) => !OWN_FIELDS.includes(name)),
      ],
    },
  };
  if (!known || form === undefined) return;
  const url = submissionAddress(known.cik, known.accession);
  yield { type: 'follow_up', request: { url, once: true, maxBytes: MAX_SUBMISSION_BYTES } };
}

/** Reads `8-K - EXAMPLE CORP (0001234567) (Filer)`. */
function readTitle(title: string): { company?: string | undefined; cik?: string | undefined } {
  const form = /^\S/.test(title) ? title.indexOf(' - ', 1) : -1;
  const [, company, cik] =
    form < 0 ? [] : (/^(.+) \((\d{10})\) \([^)]*\)$/.exec(title.slice(form + ' - '.length)) ?? []);
  return { company, cik };
}

function filedIn(summary: string | undefined): string | undefined {
  return /Filed:\s*(?:<\/b>\s*)?(\d{4}-\d{2}-\d{2})/.exec(summary?.slice(0, MAX_TITLE) ?? '')?.[1];
}
