import type { CountryName } from '@ces/proto/catalog';
import { withoutContacts } from '@ces/proto/contact-details';
import type { EventIdentifier, MappedCompany, MappedObservation } from '../../../connector/mapped.ts';
import { plainLine } from '../../../extract/formats/plain.ts';
import { cutAtWord } from '../../../extract/passages/passage.ts';
import { ifPlausible, type TenderClosing } from './closing.ts';

export interface Tender {
  readonly buyer: string;
  readonly country: CountryName;
  readonly title: string;
  readonly noticeType: string | undefined;
  readonly publishedAt: Date;
  readonly closing: TenderClosing | undefined;
  readonly archivedAt?: Date | undefined;
  readonly eventIdentifiers: readonly (EventIdentifier | undefined)[];
  readonly categories: readonly (string | undefined)[];
  readonly excerpt: string;
}

const MAX_TITLE_CODE_POINTS = 1000;
const MAX_BUYER_CODE_POINTS = 400;

export function tenderObservation(tender: Tender): MappedObservation {
  const company = buyerCompany(tender.buyer, tender.country);
  const closing = ifPlausible(tender.closing, tender.publishedAt);
  const expiresAt = closing?.at ?? tender.archivedAt;
  const title = cutAtWord(withoutContacts(plainLine(tender.title)), MAX_TITLE_CODE_POINTS);
  return {
    type: 'observation',
    company,
    kind: 'procurement_request',
    observedFact: observedFact(company.name, title, tender.noticeType, closing),
    ...why(tender.noticeType),
    country: tender.country,
    confidence: 0.9,
    occurredAt: tender.publishedAt,
    ...(expiresAt && { expiresAt }),
    title,
    eventIdentifiers: tender.eventIdentifiers.filter((identifier) => identifier !== undefined),
    categories: [...new Set(tender.categories.filter((category) => category !== undefined))],
    excerpts: [tender.excerpt],
  };
}

/** Tender sources give a buyer's name, but no identifier of a registry that lookup knows. */
export function buyerCompany(name: string, country: CountryName): MappedCompany {
  const plain = cutAtWord(withoutContacts(plainLine(name)), MAX_BUYER_CODE_POINTS);
  return { name: plain, country, hostnames: [], identifiers: [] };
}

function observedFact(
  buyer: string,
  title: string,
  noticeType: string | undefined,
  closing: TenderClosing | undefined,
): string {
  const type = noticeType ? ` (${plainLine(noticeType)})` : '';
  return `${buyer} is requesting ${title}${type}${closing ? `, closes ${closing.day}` : ''}`;
}

const BEFORE_THE_REQUEST = /sources sought|request for information|letter of interest|presolicitation/i;

/** Notices that precede a request get a sentence of their own. */
function why(noticeType: string | undefined): Pick<MappedObservation, 'whyItMayMatter'> {
  if (!noticeType || !BEFORE_THE_REQUEST.test(noticeType)) return {};
  return {
    whyItMayMatter:
      'A buyer is preparing a purchase and has not asked for bids yet, so suppliers can make themselves known before it does.',
  };
}
