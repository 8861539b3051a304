/** What a query may ask for and no kind of observation holds: the limitation that says so, and what it is about. */
const THINGS: Readonly<Record<string, string>> = {
  layoffs_not_recorded: 'layoffs',
  acquisitions_not_recorded: 'mergers or acquisitions',
  closures_not_recorded: 'closures',
  bankruptcies_not_recorded: 'bankruptcies',
  lawsuits_not_recorded: 'lawsuits',
  patents_not_recorded: 'patents',
  stock_prices_not_recorded: 'stock prices',
  financial_results_not_recorded: 'financial results',
  contact_details_not_recorded: 'contact details',
  data_breaches_not_recorded: 'data breaches',
};

/** A sentence for each of these limitations, as every surface shows it. */
export const NOT_RECORDED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(THINGS).map(([code, things]) => [code, sentenceAbout(things)]),
);

/** The sentences of those limitations that say what is not recorded. */
export function notRecordedSentences(limitations: readonly string[]): string[] {
  return limitations.flatMap((code) => (Object.hasOwn(NOT_RECORDED, code) ? [NOT_RECORDED[code] ?? ''] : []));
}

function sentenceAbout(things: string): string {
  return `The record does not hold ${things}, so this search can only find evidence that mentions the words.`;
}
