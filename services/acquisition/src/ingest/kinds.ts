import type { KindName } from '@ces/proto/catalog';

const DAY_MS = 86_400_000;

export const WHY_IT_MAY_MATTER: Readonly<Record<KindName, string>> = {
  procurement_request: 'A buyer has published a formal request, so suppliers can respond before it closes.',
  facility_expansion: 'A site that is built or enlarged needs construction, equipment, logistics and services.',
  funding_round: 'Newly raised capital often precedes hiring and spending on tools, services and infrastructure.',
  leadership_change: 'New officers or directors often review suppliers, systems and priorities.',
  product_launch: 'A new product brings needs in marketing, support, compliance and distribution.',
  partnership: 'A new agreement shows where a company commits itself and what it will need to deliver.',
  technology_use: 'A tool in use shows which products and skills fit the company.',
  job_posting: 'An open position shows where a company adds capacity and what it invests in.',
  company_profile: 'The profile says what the company does; structural fit is not evidence of buying intent.',
};

/** End of delivery by default (gateway/docs/contract.md, Record and evidence). */
export function defaultExpiry(kind: KindName, occurredAt: Date | undefined, lastSeenAt: Date): Date | undefined {
  switch (kind) {
    case 'procurement_request':
      return after(occurredAt ?? lastSeenAt, 90);
    case 'job_posting':
      return after(lastSeenAt, 14);
    case 'technology_use':
      return after(lastSeenAt, 90);
    case 'company_profile':
      return after(lastSeenAt, 365);
    default:
      return undefined;
  }
}

function after(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS);
}
