import { describe, expect, test } from 'vitest';
import { isPersonName, personSpans } from './persons.ts';

const found = (text: string) => personSpans(text).map(({ start, end }) => text.slice(start, end));

describe('a person to turn to', () => {
  test.each([
    ['Contact: Quayle, Ada', 'Contact: Quayle, Ada'],
    ['Lamps for the quay. Please contact Ada Quayle for the forms.', 'contact Ada Quayle'],
    ['Attention: Ada M. Quayle, 1 Quay Street', 'Attention: Ada M. Quayle'],
    ['Name: Ada Quayle, Title: Buyer', 'Name: Ada Quayle'],
    ['CONTRACTING OFFICER: ADA QUAYLE', 'OFFICER: ADA QUAYLE'],
    ['The point of contact for this notice is Ada Quayle.', 'point of contact for this notice is Ada Quayle'],
    ['Autorité contractante : Ada Quayle', 'contractante : Ada Quayle'],
    ['Agent de négociation : Ada Quayle', 'Agent de négociation : Ada Quayle'],
    ['Agente d’approvisionnement : QUAYLE, ADA', 'd’approvisionnement : QUAYLE, ADA'],
    ['Contracting Officer: Ada Quayle', 'Officer: Ada Quayle'],
    ['Chargée de projet: Ada Quayle', 'Chargée de projet: Ada Quayle'],
    ['Hiring manager: Ada Quayle', 'manager: Ada Quayle'],
    ['Questions: Ada Quayle', 'Questions: Ada Quayle'],
    ['Principal Investigator: Ada Quayle', 'Investigator: Ada Quayle'],
    ['Chercheuse principale : Ada Quayle', 'Chercheuse principale : Ada Quayle'],
    ['Pour renseignements : Ada Quayle', 'renseignements : Ada Quayle'],
    ['Directrice : Ada Quayle', 'Directrice : Ada Quayle'],
    ['Gestionnaire : Ada Quayle', 'Gestionnaire : Ada Quayle'],
    ['Responsable du recrutement : Ada Quayle', 'Responsable du recrutement : Ada Quayle'],
    ['Supervisor: Ada Quayle', 'Supervisor: Ada Quayle'],
    ['Contact: E\u0300ve Cote\u0301', 'Contact: E\u0300ve Cote\u0301'],
    ['Contact: A\u200bda\u00ad Quay\u2060le', 'Contact: A\u200bda\u00ad Quay\u2060le'],
    ['Recruiter: Quayle, Ada', 'Recruiter: Quayle, Ada'],
    ['Gestionnaire de contrats – Ada Quayle', 'Gestionnaire de contrats – Ada Quayle'],
    ['Personne-ressource : Ève L’Écuyer', 'Personne-ressource : Ève L’Écuyer'],
    ['Bids go to Ada Quayle, Contract Specialist.', 'Ada Quayle, '],
    ['Bids go to Ada Quayle (Supply Officer).', 'Ada Quayle ('],
    ['Questions go to Ms. Quayle at the harbour office.', 'Ms. Quayle'],
    ['WX000-270001/A\nQuayle, Ada\nLamps', 'Quayle, Ada'],
    ['WX000-270001/A\nQUAYLE, ADA\n902-555-0142', 'QUAYLE, ADA'],
  ])('%s', (text, span) => {
    expect(found(text)).toEqual([span]);
  });

  test.each([
    'Contact: Harbour Works Canada',
    'Contact the Office of Lamps',
    'Name: Replacement of Lamps',
    'Department of Lighthouses, Contract Specialist',
    'Ottawa, Ontario\nReno, Nevada',
    'The contract officer requires 40 lamps.',
    'Brand name or equal: Weir Lamp Systems',
    'VALVE, BALL\nForty of them',
    'Director: Vice President',
    'Supervisor: Senior Director of Marketing',
    'Questions: What is asked for?',
    'Gestionnaire : Direction Générale',
    'Reports to: Regional Manager',
  ])('%s names none', (text) => {
    expect(found(text)).toEqual([]);
  });
});

test('a name is two to four capitalised words that no office, thing or place is called by', () => {
  expect(['Ada Quayle', 'QUAYLE, ADA', 'Ada M. Quayle', 'Jean-Luc L’Écuyer'].map(isPersonName)).not.toContain(false);
  expect(
    ['Ada', 'ada quayle', 'Bid Office', 'Halifax, Nova Scotia', 'A. B.', 'One Two Three Four Five'].map(isPersonName),
  ).not.toContain(true);
});
