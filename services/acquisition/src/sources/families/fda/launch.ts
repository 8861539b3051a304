import type { CountryName } from '@ces/proto/catalog';
import type { Mapped } from '../../../connector/mapped.ts';
import type { Members } from '../../../extract/formats/members.ts';
import { plainLine } from '../../../extract/formats/plain.ts';
import { chooseExcerpt, quotable } from '../../../extract/passages/excerpt.ts';
import { isPerson } from '../../../extract/passages/is-person.ts';
import { readInstant } from '../../../extract/values/dates.ts';

const WHY = 'A device that may be sold now brings needs in manufacturing, marketing, distribution and compliance.';

export interface Launch {
  readonly country: CountryName;
  /** As in `had SOLO-SLED cleared by the FDA …`. */
  readonly says: string;
  /** Includes the decision number, so that two devices of one day get two titles. */
  readonly title: string;
}

export function mapLaunch(decision: Members, launch: Launch, text: string): Mapped {
  const name = plainLine(decision.need('applicant'));
  if (isPerson(name)) return { type: 'left_out', reason: 'the applicant is a person' };
  return {
    type: 'observation',
    company: { name, country: launch.country, hostnames: [], identifiers: [] },
    kind: 'product_launch',
    observedFact: `${name} ${launch.says}`,
    whyItMayMatter: WHY,
    country: launch.country,
    confidence: 0.9,
    occurredAt: readInstant('decision_date', decision.need('decision_date'), { formats: ['yyyyMMdd'] }),
    title: launch.title,
    eventIdentifiers: [],
    categories: [],
    excerpts: [quotable('applicant', chooseExcerpt(text))],
  };
}

/** As in ` (Radiographic film cassette)`; empty if it equals `device`. */
export function kindOf(decision: Members, device: string): string {
  const kind = plainLine(decision.text('openfda.device_name') ?? decision.text('generic_name'));
  return kind === '' || kind.toLowerCase() === device.toLowerCase() ? '' : ` (${kind})`;
}
