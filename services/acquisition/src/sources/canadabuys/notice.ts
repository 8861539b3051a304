import type { EventIdentifier } from '../../connector/mapped.ts';
import type { Document, Parsed } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { solicitationIdentifier } from '../families/tender/solicitation.ts';

export const COLUMNS = {
  title: 'title-titre-eng',
  titleFrench: 'title-titre-fra',
  reference: 'referenceNumber-numeroReference',
  amended: 'amendmentDate-dateModification',
  solicitation: 'solicitationNumber-numeroSollicitation',
  published: 'publicationDate-datePublication',
  closes: 'tenderClosingDate-appelOffresDateCloture',
  status: 'tenderStatus-appelOffresStatut-eng',
  noticeType: 'noticeType-avisType-eng',
  goods: 'unspscDescription-eng',
  regions: 'regionsOfDelivery-regionsLivraison-eng',
  contractingEntity: 'contractingEntityName-nomEntitContractante-eng',
  country: 'contractingEntityAddressCountry-entiteContractanteAdressePays-eng',
  endUser: 'endUserEntitiesName-nomEntitesUtilisateurFinal-eng',
  url: 'noticeURL-URLavis-eng',
  description: 'tenderDescription-descriptionAppelOffres-eng',
  descriptionFrench: 'tenderDescription-descriptionAppelOffres-fra',
} as const;

export function cellValues(cell: string | undefined): string[] {
  return (cell ?? '')
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\*+/, '').trim())
    .filter((value) => value !== '');
}

export function entityName(cell: string | undefined): string | undefined {
  return cellValues(cell)[0]?.replace(/(?<!\s)\s*\([\p{Lu}\p{N}&/-]{2,12}\)$/u, '');
}

/**
 * Shared by a tender, its cancellation and its award. A number that every buyer may have includes
 * the buyer.
 */
export function noticeIdentifiers(buyer: string, ...numbers: readonly (string | undefined)[]): EventIdentifier[] {
  const identifiers = numbers.flatMap(cellValues).map((number) => solicitationIdentifier(number, buyer));
  const distinct = new Map(identifiers.flatMap((one) => (one ? [[one.value, one] as const] : [])));
  return [...distinct.values()];
}

function contactColumns(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values).filter((name) => name.startsWith('contactInfo'));
}

export const CONTACT_NAME = 'contactInfoName-informationsContactNom';
export const HOMEPAGE = 'https://canadabuys.canada.ca/en/procurement-and-contracting-data';

type Row = Readonly<Record<string, string>>;

type NoticeFolder = 'tender-notice' | 'award-notice';

/** An amendment gets the key of its notice. A row without a number is kept, then refused. */
export async function* parseNotices(
  document: Document,
  folder: NoticeFolder,
  keyOf: (row: Row) => string,
): AsyncGenerator<Parsed> {
  for await (const item of readCsv(document, { charset: 'utf-8', minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toRecord(document, folder, item.row.line, item.row.values, keyOf(item.row.values));
  }
}

function toRecord(document: Document, folder: NoticeFolder, line: number, values: Row, key: string): Parsed {
  const names = contactNames([values[CONTACT_NAME]]);
  return {
    type: 'record',
    record: {
      key: key.slice(0, 400) || `line ${line}`,
      uri: firstWebAddress(
        [values[COLUMNS.url]?.trim(), noticePage(folder, values[COLUMNS.reference]), document.uri],
        HOMEPAGE,
      ),
      content: keptContent(values, contactColumns(values), names),
      fields: Object.keys(values),
    },
  };
}

function noticePage(folder: NoticeFolder, reference: string | undefined): string | undefined {
  const plain = reference?.trim().toLowerCase() ?? '';
  if (!/^[\w$:.-]+$/.test(plain)) return undefined;
  return `https://canadabuys.canada.ca/en/tender-opportunities/${folder}/${plain.replace(/[$:._]/g, '')}`;
}
