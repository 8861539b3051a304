import type { Document, Parsed } from '../../connector/source.ts';
import { carried, jsonContent, type Members } from '../../extract/formats/members.ts';
import { readXml } from '../../extract/formats/xml.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { CIK, COMPANY, FORM } from '../families/edgar/fields.ts';
import type { FilingHeader } from '../families/edgar/header.ts';
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
