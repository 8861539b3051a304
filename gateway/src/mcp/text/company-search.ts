import type { CompanyMatch } from '../../schema/company.ts';
import type { CompanyResult } from '../../schema/company-search.ts';
import { companyTitle, observationLines } from './company.ts';
import { costLine, coverageLine, oneLine } from './lines.ts';

const WHY_LENGTH = 200;
const NOTHING_FOUND =
  'Nothing was found that is likely to answer. With a new request_key: other or fewer words, an earlier occurred_after, fewer filters.';

export function describeCompanySearch(result: CompanyResult): string {
  const { companies, coverage, next_cursor } = result;
  const { returned_companies, available_companies, occurred_after, stop_reason } = coverage;
  const shortlist = available_companies === undefined ? '' : ` of ${available_companies} on the shortlist`;
  const window = occurred_after ? `events since ${occurred_after}` : 'no cutoff by event date';
  return [
    `${returned_companies} companies${shortlist}, best first; ${window}; ${result.retrieval} retrieval; stopped: ${stop_reason}.`,
    coverageLine({ ...result, limitations: coverage.limitations }),
    ...(companies.length === 0 && result.withheld_units === 0 ? [NOTHING_FOUND] : companies.flatMap(matchLines)),
    next_cursor === null
      ? 'No further page.'
      : `Next page: the same query, filters, limit and target, a new request_key, and cursor ${JSON.stringify(next_cursor)}`,
    costLine(result),
  ].join('\n');
}

function matchLines(match: CompanyMatch, index: number): string[] {
  return [
    `${index + 1}. ${companyTitle(match)} ${match.demand_class}: ${oneLine(match.why_it_may_matter, WHY_LENGTH)}`,
    ...match.observations.flatMap(observationLines),
  ];
}
