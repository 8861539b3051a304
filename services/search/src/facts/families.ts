import { codeOfMember } from './fact-codes.ts';

/** A fact with a few exclusive values: the type of a funding round or the stage of a facility. */
export type Family = 'round' | 'stage';

/** Indexes store these numbers and the order of the members: never change either. */
const FAMILY_NUMBERS: Readonly<Record<Family, number>> = { round: 50, stage: 51 };
const MEMBERS: Readonly<Record<Family, readonly string[]>> = {
  round: 'preseed seed angel seriesa seriesb seriesc seriesd seriese seriesf seriesg seriesh debt'.split(' '),
  stage: ['planned', 'building', 'operating', 'cancelled'],
};

const SAYINGS: Readonly<Record<Family, Readonly<Record<string, string>>>> = {
  round: {
    preseed: 'pre seed, preseed',
    seed: 'seed round, seed funding, seed financing, seed investment, seed capital, seed stage, round seed',
    angel: 'angel round, angel funding, angel investment, round angel',
    debt: 'debt round, debt financing, venture debt, round debt',
  },
  stage: {
    planned: 'planned, plans to build, planning to build, plans to open, proposed, will build',
    building:
      'under construction, construction began, construction started, began construction, broke ground, breaking ground, breaks ground',
    operating:
      'began operations, began operating, in operation, now operating, operational, opened, commissioned, has opened, started production, began production',
    cancelled: 'cancelled, canceled, abandoned, scrapped, shelved, called off, withdrawn',
  },
};

/** Queries may use other phrases than observations. Ambiguous phrases are left to observations. */
const ASKED: Readonly<Record<Family, Readonly<Record<string, string>>>> = {
  round: {
    ...SAYINGS.round,
    seed: `${SAYINGS.round.seed}, seed rounds, seed money`,
    angel: `${SAYINGS.round.angel}, angel rounds, angel money`,
  },
  stage: {
    planned: 'planned, proposed',
    building: 'under construction, being built',
    operating: 'in operation, operational, already operating',
    cancelled: 'cancelled, canceled, abandoned, scrapped',
  },
};

export interface MemberMention {
  readonly family: Family;
  readonly member: string;
  readonly at: number;
  readonly length: number;
}

type Table = ReadonlyMap<
  string,
  readonly { readonly words: readonly string[]; readonly family: Family; readonly member: string }[]
>;

const IN_OBSERVATIONS = tableOf(SAYINGS);
const IN_QUERIES = tableOf(ASKED);

export function membersInText(words: readonly string[]): MemberMention[] {
  return find(words, IN_OBSERVATIONS);
}

export function membersInQuery(words: readonly string[]): MemberMention[] {
  return find(words, IN_QUERIES);
}

/** "Series A" and similar rounds share the lexeme of their designator. */
export function lexemeOf(family: Family, member: string): string {
  return member.startsWith('series') ? member : `${family}${member}`;
}

export function codeOf(family: Family, member: string): number | undefined {
  const at = MEMBERS[family].indexOf(member);
  return at < 0 ? undefined : codeOfMember(FAMILY_NUMBERS[family], at);
}

export function membersOf(family: Family): readonly string[] {
  return MEMBERS[family];
}

export function numberOf(family: Family): number {
  return FAMILY_NUMBERS[family];
}

export function isFamily(word: string): word is Family {
  return Object.hasOwn(FAMILY_NUMBERS, word);
}

function tableOf(sayings: Readonly<Record<Family, Readonly<Record<string, string>>>>): Table {
  const all = Object.entries(sayings).flatMap(([family, members]) =>
    Object.entries(members).flatMap(([member, phrases]) =>
      phrases.split(', ').map((phrase) => ({ words: phrase.split(' '), family: family as Family, member })),
    ),
  );
  return Map.groupBy(
    all.toSorted((a, b) => b.words.length - a.words.length),
    ({ words }) => words[0] ?? '',
  );
}

function find(words: readonly string[], table: Table): MemberMention[] {
  const found: MemberMention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const entry = table
      .get(words[at] ?? '')
      ?.find((one) => one.words.every((word, offset) => words[at + offset] === word));
    if (!entry) continue;
    found.push({ family: entry.family, member: entry.member, at, length: entry.words.length });
    at += entry.words.length - 1;
  }
  return found;
}
