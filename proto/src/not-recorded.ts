/** Limitation codes for topics that a query may name but no kind of observation covers. */
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

export const NOT_RECORDED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(THINGS).map(([code, things]) => [code, sentenceAbout(things)]),
);

export function notRecordedSentences(limitations: readonly string[]): string[] {
  return limitations.flatMap((code) => (Object.hasOwn(NOT_RECORDED, code) ? [NOT_RECORDED[code] ?? ''] : []));
}

function sentenceAbout(things: string): string {
  return `The record does not hold ${things}, so this search can only find evidence that mentions the words.`;
}
