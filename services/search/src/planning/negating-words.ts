// These lists are in English and in unaccented French; they were compiled for this service.

export const NEGATING: readonly (readonly string[])[] = phrases(
  'but not, but no, but without, other than, rather than, instead of, as opposed to, apart from, aside from, ' +
    'except for, with the exception of, to the exclusion of, exclusive of, outside of, leaving out, leaving aside, ' +
    'not interested in, no interest in, not looking for, no need for, with no, none of, anything but, ' +
    'nothing to do with, not to do with, everywhere but, anywhere but, all but, isn t, aren t, wasn t, weren t, doesn t, don t, ' +
    'didn t, hasn t, haven t, ' +
    'do not want, do not need, don t want, don t need, do not include, don t include, do not send, do not list, ' +
    'autre que, autres que, plutot que, au lieu de, en dehors de, a exception de, a exception des, a exclusion de, a exclusion des, ' +
    'mais pas, ' +
    'not, no, none, nothing, exclude, except, excepting, excluding, excl, without, minus, unlike, nor, ' +
    'sauf, sans, hors, hormis, excepte, excluant, pas',
);

/** Negate at the start of a clause ("skip internships"); elsewhere they name an activity. */
export const NEGATING_VERBS: readonly (readonly string[])[] = phrases(
  'leave out, leave aside, skip, ignore, exclude, omit, avoid, disregard, ignorer, ignorez, exclure, excluez, ' +
    'eviter, evitez, omettre, laisser de cote',
);

export const NEGATING_PREDICATES: readonly (readonly string[])[] = phrases(
  'must be left out, should be left out, can be left out, to be left out, be left out, left aside, be excluded, is excluded, ' +
    'are excluded, be ignored, be skipped, be omitted, be dropped, excluded, excepted, not included, not wanted, not welcome, not relevant, ' +
    'leave them out, leave these out, leave those out, leave it out, keep them out, keep these out, be kept out, ' +
    'must stay out, should stay out, not for us, not our business, drop them, skip them, ignore them, ' +
    'must not appear, should not appear, must not be included, don t interest, doesn t interest, don t matter, doesn t matter, ' +
    'doesn t count, does not count, do not count, don t count, does not qualify, do not qualify, do not fit, does not fit, ' +
    'do not interest, does not interest, do not matter, does not matter, not what we want, not what i want, ' +
    'not of interest, of no interest, of no use, of no value, of no help, no use to, no good to, out of scope, off topic, ' +
    'do not need us, is stale, are stale, already in our, already in my, we already have, i already have, ' +
    'ne comptent pas, ne compte pas, ne nous interessent pas, ne nous interesse pas, a exclure, exclus, exclues',
);

/** Before these, "not" negates nothing: "not only", "not-for-profit". */
export const NOT_NEGATED_BY_NOT: ReadonlySet<string> = words(
  'only just limited necessarily yet more less later before after earlier than exceeding below above under over fewer ' +
    'greater larger bigger smaller until',
);
/** After "no", these words do the same: "no longer", "no-code". */
export const NOT_NEGATED_BY_NO: ReadonlySet<string> = words(
  'longer matter more less fewer later earlier sooner code till kill contact touch frills show load go fault one doubt ' +
    'bid name fee cost bake smoking ' +
    'greater larger bigger smaller limit particular preference special specific other experience degree diploma',
);
/** Directly after a negation, these belong to it ("not in Texas"). Later they end it. */
export const PREPOSITIONS: ReadonlySet<string> = words(
  'in at for with by from near since after before that which who whose but while to on of outside inside within during ' +
    'until because so dans pour chez par avec depuis apres avant qui dont en',
);
export const RELATIVE_PRONOUNS: ReadonlySet<string> = words('that which who whose qui dont');
export const CONJUNCTIONS: ReadonlySet<string> = words('and or nor et ou ni');
export const ARTICLES: ReadonlySet<string> = words('a an the any those these le la les un une des du de');
/** A clause defines these: "not the ones betting on it", "excluding firms that lease them". */
export const GENERIC_NOUNS: ReadonlySet<string> = words(
  'ones one those these anything anyone anybody everything everyone things companies company firms firm businesses ' +
    'players vendors organisations organizations ceux celles entreprises societes earlier later older newer',
);
/** These set phrases and names negate nothing: "hors d'oeuvre", "sans-abri", "without borders". */
export const SET_PHRASES: ReadonlySet<string> = words(
  'oeuvre oeuvres abri abris papier papiers frontieres serif borders fil fils contact pilote gluten route ligne taxes bord frais plomb delay',
);
/** After these and "not", or with a "t" after them, a verb follows: "do not sell to banks". */
export const AUXILIARIES: ReadonlySet<string> = words('do does did don doesn didn has have hasn haven will');
/** A negated presence of a company excludes the place: "no projects in California". */
export const PRESENCE_NOUNS: ReadonlySet<string> = words(
  'projects project offices office operations sites site locations location presence plants plant facilities stores business employees',
);
export const LIGHT_VERBS: ReadonlySet<string> = words(
  'using running offering making selling building owning operating producing needing requiring doing involving',
);
/** A sentence with a verb of asking excludes at most one of its clauses. */
export const REQUEST_VERBS: ReadonlySet<string> = words(
  'find list show give get gather search look looking seek seeking want wants need needs return send identify which who ' +
    'trouver trouvez cherche cherchons',
);
/** At the start of a query, these more often begin a name: "Nothing Bundt Cakes". */
export const NAME_STARTERS: ReadonlySet<string> = words('nothing minus unlike nor');
/** "nor" negates only after one of these; "NAND and NOR flash" has none. */
export const BEFORE_NOR: ReadonlySet<string> = words('not no neither never none t without exclude excluding');

function phrases(text: string): string[][] {
  return text
    .split(', ')
    .map((phrase) => phrase.trim().split(' '))
    .toSorted((a, b) => b.length - a.length);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
