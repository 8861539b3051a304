import { refuse } from '../../connector/refuse.ts';
import type { Members } from '../../extract/formats/members.ts';
import { formatDollars } from '../../extract/values/dollars.ts';

const AMOUNTS = 'edgarSubmission.offeringData.offeringSalesAmounts';
const TYPES = 'edgarSubmission.offeringData.typesOfSecuritiesOffered';
const SECURITIES: Readonly<Record<string, string>> = {
  isEquityType: 'equity',
  isDebtType: 'debt',
  isOptionToAcquireType: 'options',
  isSecurityToBeAcquiredType: 'securities to be acquired',
  isTenantInCommonType: 'tenant-in-common securities',
  isMineralPropertyType: 'mineral property securities',
};

/** Whole dollars. `sought`: undefined without a maximum. */
export interface Offering {
  readonly sold: number;
  readonly sought: number | undefined;
  readonly securities: string;
}

export function readOffering(form: Members): Offering {
  const sought = form.need(`${AMOUNTS}.totalOfferingAmount`);
  return {
    sold: dollars(`${AMOUNTS}.totalAmountSold`, form.need(`${AMOUNTS}.totalAmountSold`)),
    sought: /^indefinite$/i.test(sought) ? undefined : dollars(`${AMOUNTS}.totalOfferingAmount`, sought),
    securities: Object.entries(SECURITIES)
      .filter(([name]) => form.text(`${TYPES}.${name}`) === 'true')
      .map(([, words]) => words)
      .join(' and '),
  };
}

export function describeOffering(company: string, { sold, sought, securities }: Offering): string {
  const kind = `an exempt offering of ${securities || 'securities'} (SEC Form D)`;
  if (sold === 0)
    return `${company} seeks ${sought === undefined ? 'money without a stated maximum' : formatDollars(sought)} in ${kind}, nothing sold at the time of the notice`;
  if (sought === undefined) return `${company} sold ${formatDollars(sold)} in ${kind} without a stated maximum`;
  if (sold >= sought) return `${company} sold ${formatDollars(sold)} in ${kind}, all that it sought`;
  return `${company} sold ${formatDollars(sold)} of the ${formatDollars(sought)} that it seeks in ${kind}`;
}

function dollars(field: string, text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse(field, 'is no whole number of dollars');
}
