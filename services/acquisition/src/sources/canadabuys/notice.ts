import type { EventIdentifier } from '../../connector/mapped.ts';
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

export function contactColumns(values: Readonly<Record<string, string>>): string[] {
  return Object.keys(values).filter((name) => name.startsWith('contactInfo'));
}

export const CONTACT_NAME = 'contactInfoName-informationsContactNom';
