import { notRecordedSentences } from '@ces/proto/not-recorded';
import type { CompanyMatch } from '../../schema/company.ts';
import type { CompanyResult } from '../../schema/company-search.ts';
import { companyLines } from './company.ts';
import { fitCompanies } from './fit-companies.ts';
import { costLine, coverageLine, oneLine } from './lines.ts';

const WHY_LENGTH = 200;
const NOTHING_FOUND =
  'Nothing was found that is likely to answer. With a new request_key: other or fewer words, an earlier occurred_after, fewer filters.';

export function describeCompanySearch(result: CompanyResult): string {
  const { companies, coverage, next_cursor } = result;
  const { returned_companies, available_companies, occurred_after, stop_reason } = coverage;
  const shortlist = available_companies === undefined ? '' : ` of ${available_companies} on the shortlist`;
  const window = occurred_after ? `events since ${occurred_after}` : 'no cutoff by event date';
  const head = [
    `${returned_companies} ${returned_companies === 1 ? 'company' : 'companies'}${shortlist}, best first; ${window}; ${result.retrieval} retrieval; stopped: ${stop_reason}.`,
    coverageLine({ ...result, limitations: coverage.limitations }),
    ...notRecordedSentences(coverage.limitations),
  ];
  const tail = [
    next_cursor === null
      ? 'No further page.'
      : `Next page: the same query, filters, limit and target, a new request_key, and cursor ${JSON.stringify(next_cursor)}`,
    costLine(result),
  ];
  if (companies.length === 0 && result.withheld_units === 0) return [...head, NOTHING_FOUND, ...tail].join('\n');
  const { notice, lines } = fitCompanies(companies, [...head, ...tail], (match, number, detail) =>
    companyLines(match, number, detail, ` ${whyLine(match)}`),
  );
  return [...head, ...notice, ...lines, ...tail].join('\n');
}

function whyLine({ demand_class, why_it_may_matter }: CompanyMatch): string {
  return `${demand_class}: ${oneLine(why_it_may_matter, WHY_LENGTH)}`;
}
