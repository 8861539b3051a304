import type { MappedCompany, MappedObservation } from '../../../connector/mapped.ts';
import { chooseExcerpt, quotable } from '../../../extract/passages/excerpt.ts';

export interface Profile {
  readonly company: MappedCompany;
  readonly observedFact: string;
  readonly title?: string;
  /** Default: that of a register or an official record. */
  readonly confidence?: number;
  readonly sector?: string | undefined;
  /** Field that is refused if the text holds nothing that may be quoted. */
  readonly field: string;
}

const OFFICIAL_RECORD = 0.9;

/** No date, because it holds until it changes. */
export function profileObservation(
  { company, observedFact, title = company.name, confidence = OFFICIAL_RECORD, sector, field }: Profile,
  text: string,
): MappedObservation {
  return {
    type: 'observation',
    company,
    kind: 'company_profile',
    observedFact,
    country: company.country,
    confidence,
    title,
    eventIdentifiers: [],
    categories: sector === undefined ? [] : [sector],
    excerpts: [quotable(field, chooseExcerpt(text))],
  };
}
