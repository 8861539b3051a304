import type { CountryName } from '@ces/proto/catalog';
import { isPerson } from '../awards/person.ts';
import { readInstant } from '../extract/dates.ts';
import { chooseExcerpt } from '../extract/excerpt.ts';
import type { Members } from '../extract/members.ts';
import { plainLine } from '../extract/plain.ts';
import type { Mapped } from '../sources/mapped.ts';
import { refuse } from '../sources/refuse.ts';

const WHY = 'A device that may be sold now brings needs in manufacturing, marketing, distribution and compliance.';

/** What a decision lets an applicant sell. */
export interface Launch {
  readonly country: CountryName;
  /** `had SOLO-SLED cleared by the FDA …`, after the applicant's name. */
  readonly says: string;
  /** With the number, so that two devices of a day are two. */
  readonly title: string;
}

/** A decision by which a company may sell a device; applicants who are persons are left out. */
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
    excerpts: [chooseExcerpt(text) ?? refuse('applicant', 'holds nothing that may be quoted')],
  };
}

/** `Radiographic film cassette`: what the kind of device is called, when that is another name. */
export function kindOf(decision: Members, device: string): string {
  const kind = plainLine(decision.text('openfda.device_name') ?? decision.text('generic_name'));
  return kind === '' || kind.toLowerCase() === device.toLowerCase() ? '' : ` (${kind})`;
}
