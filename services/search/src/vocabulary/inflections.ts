const SIBILANT = /(?:[sxz]|[cs]h)$/;
const CONSONANT_Y = /[^aeiou]y$/;
/** One vowel and one final consonant: it doubles, as in "plan", "planned". */
const DOUBLING = /^[^aeiou]*[aeiou][^aeiouwxy]$/;
const PAST: Readonly<Record<string, string>> = {
  build: 'built',
  bring: 'brought',
  break: 'broke',
  grow: 'grew',
  seek: 'sought',
  cut: 'cut',
  lose: 'lost',
  shed: 'shed',
  shut: 'shut',
};

export function formsOf(verb: string): string[] {
  const stem = verb.replace(/e$/, '');
  const doubled = DOUBLING.test(verb) ? `${verb}${verb.at(-1)}` : stem;
  const plural = CONSONANT_Y.test(verb) ? `${verb.slice(0, -1)}ies` : SIBILANT.test(verb) ? `${verb}es` : `${verb}s`;
  const past = PAST[verb] ?? (CONSONANT_Y.test(verb) ? `${verb.slice(0, -1)}ied` : `${doubled}ed`);
  return [verb, plural, past, `${doubled}ing`];
}
