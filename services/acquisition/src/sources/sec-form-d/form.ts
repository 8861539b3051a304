import { refuse } from '../../connector/refuse.ts';
import type { Document, Parsed } from '../../connector/source.ts';
import { carried, jsonContent, type Members } from '../../extract/formats/members.ts';
import { readXml } from '../../extract/formats/xml.ts';
import { formatDollars } from '../../extract/values/dollars.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { CIK, COMPANY, type FilingHeader, FORM } from '../families/edgar/header.ts';
import type { FiledDocument } from '../families/edgar/submission.ts';
import { HOMEPAGE } from '../families/edgar/terms.ts';

/** Telephone numbers, and persons with their addresses. The offering is the fact. */
const NOT_KEPT = ['issuerPhoneNumber', 'relatedPersonsList', 'salesCompensationList', 'signatureBlock'];

export const FORM_FIELDS = [
  ...['entityName', 'stateOrCountry', 'industryGroupType', 'dateOfFirstSale'],
  ...['typesOfSecuritiesOffered', 'totalOfferingAmount', 'totalAmountSold'],
];

export function formFields([form]: readonly Pick<FiledDocument, 'text'>[]): string[] {
  return FORM_FIELDS.filter((name) => form?.text.includes(`<${name}>`));
}

export function readForm(xml: string): Members {
  return readXml(xml.trimStart());
}

export function keptForm({ text }: Pick<FiledDocument, 'text'>): string {
  return NOT_KEPT.reduce(without, text);
}

function without(xml: string, name: string): string {
  const [first = '', ...rest] = xml.split(`<${name}>`);
  const close = `</${name}>`;
  return rest.reduce(
    (kept, part) => kept + (part.includes(close) ? part.slice(part.indexOf(close) + close.length) : ''),
    first,
  );
}

/**
 * Offering and issuer stay the same over amendments. A form outside its submission has only the
 * issuer and the first sale.
 */
export function offeringKey({ cik, fileNumber }: FilingHeader, accession: string): string {
  return fileNumber ? `${cik}/${fileNumber}` : accession;
}

/** Reads a `primary_doc.xml` without the header that numbers it. */
export function parseForm(text: string, document: Document): Parsed | undefined {
  if (!/<edgarSubmission[\s>]/.test(text.slice(0, 2_000))) return undefined;
  const xml = keptForm({ text });
  const form = readForm(xml);
  const issuer = form.text('edgarSubmission.primaryIssuer.cik');
  const first = form.text('edgarSubmission.offeringData.typeOfFiling.dateOfFirstSale.value');
  return {
    type: 'record',
    record: {
      key: `${issuer ?? document.uri}/${first ?? 'unsold'}`.slice(0, 400),
      uri: firstWebAddress([document.uri], HOMEPAGE),
      content: jsonContent({ header: '', documents: [{ type: 'D', name: 'primary_doc.xml', text: xml }] }),
      fields: [
        ...carried({
          [FORM]: form.text('edgarSubmission.submissionType'),
          [COMPANY]: form.text('edgarSubmission.primaryIssuer.entityName'),
          [CIK]: issuer,
        }),
        ...formFields([{ text: xml }]),
      ],
    },
  };
}

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
interface Offering {
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
