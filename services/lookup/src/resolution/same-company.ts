import type { CompanyFacts, FactName } from './company-facts.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

/** What two companies have in common, strongest first. */
export type ResolutionRule = 'identifier' | 'hostname' | 'name';

/**
 * Whether two companies that share an identifier, a hostname or a name are one. What speaks against it always wins:
 * a wrong merge shows one company's evidence under another's name, a missed one only shows two companies.
 */
export function isSameCompany(
  vocabulary: ResolutionVocabulary,
  rule: ResolutionRule,
  one: CompanyFacts,
  other: CompanyFacts,
): boolean {
  if (identifiersConflict(one, other)) return false;
  switch (rule) {
    case 'identifier':
      return true;
    case 'hostname':
      return one.names.some((a) => other.names.some((b) => namesAgree(vocabulary, a, b)));
    case 'name':
      return !websitesDiffer(one, other) && formsAgree(one, other) && !isBareWord(one) && !isBareWord(other);
  }
}

/**
 * Known by one word alone, as job boards and product lists write it: `Chase` is the bank there, not Chase Corporation. Six
 * in a hundred of such merges were wrong.
 */
function isBareWord({ names }: CompanyFacts): boolean {
  return names.every((name) => name.words.length === 1 && name.forms.size === 0);
}

/** Both have numbers of one registry and none in common. */
function identifiersConflict(one: CompanyFacts, other: CompanyFacts): boolean {
  const numbers = (facts: CompanyFacts, scheme: string) =>
    facts.identifiers.filter((identifier) => identifier.scheme === scheme).map((identifier) => identifier.value);
  const schemes = new Set(one.identifiers.map((identifier) => identifier.scheme));
  return [...schemes].some((scheme) => {
    const others = new Set(numbers(other, scheme));
    return others.size > 0 && numbers(one, scheme).every((value) => !others.has(value));
  });
}

function websitesDiffer(one: CompanyFacts, other: CompanyFacts): boolean {
  return one.hostnames.size > 0 && other.hostnames.size > 0 && !overlap(one.hostnames, other.hostnames);
}

/** `Example Inc.` and `Example LLC` are two companies; `Example` may be either. */
export function formsAgree(one: CompanyFacts, other: CompanyFacts): boolean {
  const forms = (facts: CompanyFacts) => new Set(facts.names.flatMap((name) => [...name.forms]));
  return !formsDiffer(forms(one), forms(other));
}

function formsDiffer(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && !overlap(one, other);
}

/** Whether two names on one website can be names of one company, not of its parts. */
function namesAgree(vocabulary: ResolutionVocabulary, a: FactName, b: FactName): boolean {
  const [one, other] = [squashed(a), squashed(b)];
  if (formsDiffer(a.forms, b.forms)) return false;
  if (one === other) return true;
  if (a.country !== b.country) return false;
  const [words, others] = [new Set(a.words), new Set(b.words)];
  const differing = [...a.words, ...b.words].filter((word) => words.has(word) !== others.has(word));
  if (differing.some((word) => vocabulary.unitWords.has(word))) return false;
  if (initials(a) === other || initials(b) === one) return true;
  if (!a.words.some((word) => others.has(word) && word.length > 2 && !vocabulary.commonWords.has(word))) return false;
  return isShortOf(a, b) || isShortOf(b, a);
}

/**
 * Whether a name is a full one without what it begins or ends with: `Example` beside `Example Water Works, Inc.`. The words
 * that it lacks must be those of a register, or they may name a part (`Example Nursing`); two full names are two companies,
 * and so are `Example Properties` and `Example Office Properties, Inc.`.
 */
function isShortOf(short: FactName, full: FactName): boolean {
  return full.isFull && !short.isFull && ` ${full.words.join(' ')} `.includes(` ${short.words.join(' ')} `);
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((value) => other.has(value));
}

function squashed(name: FactName): string {
  return name.words.join('');
}

function initials(name: FactName): string | undefined {
  const significant = name.words.filter((word) => !['of', 'and', 'for'].includes(word));
  return significant.length < 3 ? undefined : significant.map((word) => word.charAt(0)).join('');
}
