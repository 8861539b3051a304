import { identifies } from '@ces/proto/registry-identifier';
import type { CompanyFacts, FactFormerName, FactName } from './company-facts.ts';
import type { LegalName } from './legal-name.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

export type ResolutionRule = 'identifier' | 'hostname' | 'shared_identifier' | 'name' | 'former_name';

/** Contrary facts win: a wrong merge is worse than showing two companies. */
export function isSameCompany(
  vocabulary: ResolutionVocabulary,
  rule: ResolutionRule,
  one: CompanyFacts,
  other: CompanyFacts,
): boolean {
  if (numbersConflict(one, other, rule)) return false;
  switch (rule) {
    case 'identifier':
      return true;
    case 'hostname':
    case 'shared_identifier':
      return everyName(one).some((a) =>
        everyName(other).some((b) => namesAgree(vocabulary, a, b, sharedLabels(one, other))),
      );
    case 'name':
      return !websitesDiffer(one, other) && formsAgree(one, other) && isTelling(one, other);
    case 'former_name':
      return !websitesDiffer(one, other) && (usedFormerName(one, other) || usedFormerName(other, one));
  }
}

const ONE_EACH: ReadonlySet<string> = new Set(['cik', 'lei', 'bn']);
/** A large company has several UEIs, which prevent only merges by name. */
const SEVERAL_EACH: ReadonlySet<string> = new Set([...ONE_EACH, 'uei']);

function numbersConflict(one: CompanyFacts, other: CompanyFacts, rule: ResolutionRule): boolean {
  const telling = rule === 'name' || rule === 'former_name' ? SEVERAL_EACH : ONE_EACH;
  const [numbers, others] = [numbersByRegister(one, telling), numbersByRegister(other, telling)];
  return [...numbers].some(([register, values]) => {
    const theirs = others.get(register);
    return theirs !== undefined && !overlap(values, theirs);
  });
}

function numbersByRegister({ identifiers }: CompanyFacts, telling: ReadonlySet<string>): Map<string, Set<string>> {
  const byRegister = new Map<string, Set<string>>();
  for (const { scheme, value } of identifiers) {
    const register = scheme === 'register' ? value.slice(0, value.indexOf(':')) : scheme;
    if (scheme !== 'register' && !telling.has(scheme)) continue;
    byRegister.set(register, (byRegister.get(register) ?? new Set()).add(value));
  }
  return byRegister;
}

function everyName({ names, formerNames }: CompanyFacts): WrittenName[] {
  return [...names, ...formerNames];
}

function usedFormerName(one: CompanyFacts, other: CompanyFacts): boolean {
  return one.formerNames.some((former) => {
    const used = other.names.filter((name) => name.country === former.country && name.nameKey === former.nameKey);
    if (former.nameKey === '' || used.length === 0) return false;
    if (isBare(former) || used.every(isBare)) return false;
    return used.every((name) => !formsDiffer(name.forms, former.forms)) && isWithin(former, used, other);
  });
}

/** Registers change a name later than its users do. */
const LATE_MS = 90 * 86_400_000;

/** Without a date, a name in a directory is old; a registered company has it now. */
function isWithin(former: FactFormerName, used: readonly FactName[], { identifiers }: CompanyFacts): boolean {
  const dates = used.flatMap(({ usedAt }) => usedAt ?? []);
  if (dates.length === 0) return !identifiers.some(({ scheme }) => identifies(scheme));
  const since = (former.since?.getTime() ?? Number.NEGATIVE_INFINITY) - LATE_MS;
  const until = (former.until?.getTime() ?? Number.POSITIVE_INFINITY) + LATE_MS;
  return dates.every((date) => date.getTime() >= since && date.getTime() <= until);
}

/** A bare word must be a label of a website, as `Redfin` of redfin.com. */
function isTelling(one: CompanyFacts, other: CompanyFacts): boolean {
  if (!isBareWord(one) && !isBareWord(other)) return true;
  const labels = new Set([...one.hostnames, ...other.hostnames].flatMap(labelsOf));
  return [...one.names, ...other.names].every(({ words }) => labels.has(words.join('')));
}

function labelsOf(hostname: string): string[] {
  return hostname.replaceAll('-', '').split('.').slice(0, -1);
}

function sharedLabels(one: CompanyFacts, other: CompanyFacts): ReadonlySet<string> {
  return new Set([...one.hostnames].filter((hostname) => other.hostnames.has(hostname)).flatMap(labelsOf));
}

/** `Chase` on job boards is the bank, not Chase Corporation: 6 in 100 such merges were wrong. */
function isBareWord({ names }: CompanyFacts): boolean {
  return names.every(isBare);
}

function isBare({ words, isFull }: LegalName): boolean {
  return words.length === 1 && !isFull;
}

function websitesDiffer(one: CompanyFacts, other: CompanyFacts): boolean {
  return one.hostnames.size > 0 && other.hostnames.size > 0 && !overlap(one.hostnames, other.hostnames);
}

/** `Example Inc.` is not `Example LLC`; `Example` may be either. */
export function formsAgree(one: CompanyFacts, other: CompanyFacts): boolean {
  const forms = (facts: CompanyFacts) => new Set(facts.names.flatMap((name) => [...name.forms]));
  return !formsDiffer(forms(one), forms(other));
}

function formsDiffer(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && !overlap(one, other);
}

type WrittenName = Omit<FactName, 'usedAt'>;

/** True for two names of one company on a website, not of a company and its part. */
function namesAgree(
  vocabulary: ResolutionVocabulary,
  a: WrittenName,
  b: WrittenName,
  labels: ReadonlySet<string>,
): boolean {
  const [one, other] = [squashed(a), squashed(b)];
  if (formsDiffer(a.forms, b.forms)) return false;
  if (one === other) return true;
  if (a.country !== b.country) return false;
  const [words, others] = [new Set(a.words), new Set(b.words)];
  const differing = [...a.words, ...b.words].filter((word) => words.has(word) !== others.has(word));
  if (isWholeOf(a, b, labels) || isWholeOf(b, a, labels)) return true;
  if (areInitialsOf(a, b, labels) || areInitialsOf(b, a, labels)) return true;
  if (differing.some((word) => vocabulary.unitWords.has(word))) return false;
  if (initials(a) === other || initials(b) === one) return true;
  if (!a.words.some((word) => others.has(word) && word.length > 2 && !vocabulary.commonWords.has(word))) return false;
  return isShortOf(a, b) || isShortOf(b, a);
}

/**
 * `Example` may mean `Example Water Works, Inc.` if a register has the full name; other additions
 * may name a part (`Example Nursing`). Two full names differ.
 */
function isShortOf(short: LegalName, full: LegalName): boolean {
  return full.isFull && !short.isFull && ` ${full.words.join(' ')} `.includes(` ${short.words.join(' ')} `);
}

/** cisco.com is of Cisco Systems, Inc. */
const WHOLE: ReadonlySet<string> = new Set(
  `holdings holding group enterprises industries brands companies global international systems software technologies laboratories
   financial bancorp bancshares`.split(/\s+/),
);

function isWholeOf(short: LegalName, full: LegalName, labels: ReadonlySet<string>): boolean {
  if (!full.isFull || short.isFull || !labels.has(squashed(short))) return false;
  const begins = short.words.every((word, index) => full.words[index] === word);
  return begins && full.words.slice(short.words.length).every((word) => WHOLE.has(word));
}

/** `AIG` of aig.com: American International Group, Inc. */
function areInitialsOf(short: LegalName, full: LegalName, labels: ReadonlySet<string>): boolean {
  return full.isFull && labels.has(squashed(short)) && initials(full) === squashed(short);
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((value) => other.has(value));
}

function squashed(name: LegalName): string {
  return name.words.join('');
}

function initials(name: LegalName): string | undefined {
  const significant = name.words.filter((word) => !['of', 'and', 'for'].includes(word));
  return significant.length < 3 ? undefined : significant.map((word) => word.charAt(0)).join('');
}
