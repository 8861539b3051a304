import { withoutContacts } from '@ces/proto/contact-details';
import { normalIdentifier } from '@ces/proto/registry-identifier';
import { visibleText } from '@ces/proto/visible-text';
import type {
  Closing,
  LeftOut,
  Mapped,
  MappedCompany,
  MappedFormerName,
  MappedObservation,
} from '../connector/mapped.ts';
import { Refused, refuse } from '../connector/refuse.ts';
import { MAX_KEY_LENGTH, type RawRecord, type Refusal, type Source } from '../connector/source.ts';
import { sha256 } from '../db/raw-record.ts';
import { cutAtWord, EXCERPT_CODE_POINTS, fits } from '../extract/passages/passage.ts';
import { defaultExpiry, WHY_IT_MAY_MATTER } from './kinds.ts';

export interface ReadObservation extends Omit<MappedObservation, 'type' | 'part' | 'expiresAt'> {
  readonly key: string;
  readonly whyItMayMatter: string;
  readonly sourceUri: string;
  readonly expiresAt: Date | undefined;
}

export interface ReadRecord {
  readonly text: string | undefined;
  /** SHA-256; undefined without a text. */
  readonly textHash: Uint8Array | undefined;
  readonly observations: readonly ReadObservation[];
  readonly closings: readonly Closing[];
  readonly leftOut: readonly LeftOut[];
  readonly refusals: readonly Refusal[];
}

const MAX_EXCERPTS = 10;
const MAX_FORMER_NAMES = 50;
const MAX_NAME_LENGTH = 500;
/** In code points. A longer text is cut; the excerpt holds the rest. */
const LONGEST_NAME = 400;
const LONGEST_TITLE = 1000;
const LONGEST_FACT = 2000;
/** Lookup refuses longer values. */
const MAX_COMPANY_KEY_LENGTH = 512;
const MAX_ADDRESS_LENGTH = 2048;

/**
 * Reads the visible content (promise S18). Refusals name the field. `fetchedAt` is when this
 * occurrence was read.
 */
export function readRecord(source: Source, kept: RawRecord, fetchedAt: Date): ReadRecord {
  const raw = { ...kept, content: visibleText(kept.content) };
  const refusals: Refusal[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusals.push({ key: raw.key, field: error.field, reason: error.reason });
      return undefined;
    }
  };
  const text = attempt(() => extract(source, raw));
  const mapped = (text === undefined ? undefined : attempt(() => source.map(raw, text))) ?? [];
  const observations = mapped.flatMap((one) =>
    one.type === 'observation' ? (attempt(() => complete(one, raw, text ?? '', fetchedAt)) ?? []) : [],
  );
  return {
    text,
    textHash: text === undefined ? undefined : sha256(text),
    observations,
    closings: mapped.flatMap((one) => (one.type === 'closing' ? (attempt(() => completeClosing(one)) ?? []) : [])),
    leftOut: [...mapped.filter((one) => one.type === 'left_out'), ...mapped.flatMap(numbersLeftOut)],
    refusals,
  };
}

function extract(source: Source, raw: RawRecord): string {
  if (raw.key.trim() === '' || raw.key.length > MAX_KEY_LENGTH) refuse('key', 'is empty or too long');
  const carried = new Set(raw.fields);
  const missing = source.fields.required.find((field) => !carried.has(field));
  if (missing !== undefined) refuse(missing, 'is missing');
  return readable('text', shownText(source, raw.content));
}

/** Invisible characters are removed twice: as published, and after decoding escapes. */
export function shownText(source: Pick<Source, 'extract'>, content: string): string {
  return visibleText(source.extract(visibleText(content)));
}

/** Refuses NUL and lone surrogates, which some part of the system cannot hold. */
function readable(field: string, text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : refuse(field, 'is no well-formed text');
}

function complete(one: MappedObservation, raw: RawRecord, text: string, fetchedAt: Date): ReadObservation {
  const { type: _, part, expiresAt, ...rest } = one;
  if (!rest.occurredAt && rest.kind !== 'company_profile') refuse('occurred_at', 'is missing');
  if (rest.occurredAt && rest.occurredAt > fetchedAt) refuse('occurred_at', 'lies in the future');
  return {
    ...rest,
    key: part === undefined ? raw.key : `${raw.key}#${part}`,
    company: completeCompany(rest.company),
    observedFact: cutAtWord(readable('observed_fact', shown(rest.observedFact)), LONGEST_FACT),
    ...(rest.title !== undefined && { title: cutAtWord(readable('title', shown(rest.title)), LONGEST_TITLE) }),
    whyItMayMatter: rest.whyItMayMatter ?? WHY_IT_MAY_MATTER[rest.kind],
    sourceUri: noLonger('source_uri', raw.uri, MAX_ADDRESS_LENGTH),
    excerpts: checkExcerpts(rest.excerpts, text),
    expiresAt: expiresAt ?? defaultExpiry(rest.kind, rest.occurredAt, fetchedAt),
  };
}

function completeClosing(closing: Closing): Closing {
  const { company } = closing;
  return company ? { ...closing, company: { ...company, name: shownName(company.name) } } : closing;
}

function completeCompany(company: MappedCompany): MappedCompany {
  return {
    ...company,
    ...(company.key !== undefined && { key: noLonger('company key', company.key, MAX_COMPANY_KEY_LENGTH) }),
    name: shownName(company.name),
    identifiers: company.identifiers.filter(({ scheme, value }) => normalIdentifier(scheme, value) !== undefined),
    formerNames: (company.formerNames ?? []).flatMap(completeFormerName).slice(0, MAX_FORMER_NAMES),
  };
}

function completeFormerName({ name, since, until }: MappedFormerName): MappedFormerName[] {
  const text = readable('former name', shown(name)).trim();
  if (text === '' || text.length > MAX_NAME_LENGTH) return [];
  if (since && until && since > until) return [{ name: text }];
  return [{ name: text, ...(since && { since }), ...(until && { until }) }];
}

function numbersLeftOut(one: Mapped): LeftOut[] {
  if (one.type !== 'observation') return [];
  return one.company.identifiers
    .filter(({ scheme, value }) => normalIdentifier(scheme, value) === undefined)
    .map(({ scheme }) => ({ type: 'left_out', reason: `the company's number (${scheme}) is none` }));
}

/** Invisible characters go first, because they could hide a contact detail (promise S18). */
function shown(text: string): string {
  return withoutContacts(visibleText(text));
}

function noLonger(field: string, text: string, length: number): string {
  return text.length > length ? refuse(field, `is longer than ${length} characters`) : text;
}

function shownName(given: string): string {
  const name = readable('company name', shown(given));
  return name.trim() === '' ? refuse('company name', 'is empty') : cutAtWord(name, LONGEST_NAME);
}

function checkExcerpts(excerpts: readonly string[], text: string): readonly string[] {
  if (excerpts.length < 1 || excerpts.length > MAX_EXCERPTS) refuse('excerpt', 'is missing: nothing can be quoted');
  for (const excerpt of excerpts) {
    if (!text.includes(excerpt)) refuse('excerpt', 'is no passage of the extracted text');
    if (!fits(excerpt, EXCERPT_CODE_POINTS)) refuse('excerpt', `is longer than ${EXCERPT_CODE_POINTS} characters`);
  }
  return excerpts;
}
