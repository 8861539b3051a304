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
    ['Please email Ada Quayle.', 'Please email Ada Quayle'],
    ['Please reach out to Ada Quayle.', 'Please reach out to Ada Quayle'],
    ['Submit bids to Ada Quayle.', 'bids to Ada Quayle'],
    ['To the attention of: Ada Quayle', 'attention of: Ada Quayle'],
    ['Contact the buyer, Ada Quayle.', 'Contact the buyer, Ada Quayle'],
    ['Contact either Ada Quayle or another.', 'Contact either Ada Quayle'],
    ['The Contracting Officer, Ada Quayle, answers.', 'Contracting Officer, Ada Quayle'],
    ['Contract Specialist is Ada Quayle', 'Contract Specialist is Ada Quayle'],
    ['Your recruiter is Ada Quayle.', 'recruiter is Ada Quayle'],
    ['Principal Investigator Ada Quayle leads.', 'Principal Investigator Ada Quayle'],
    ['Co-PI Ada Quayle', 'Co-PI Ada Quayle'],
    ['PI: Ada Quayle, Ph.D.', 'PI: Ada Quayle, Ph.D'],
    ['A team led by Ada Quayle', 'led by Ada Quayle'],
    ['Professor Ada Quayle', 'Professor Ada Quayle'],
    ['Madame Ada Quayle', 'Madame Ada Quayle'],
    ['M. Ada Quayle', 'M. Ada Quayle'],
    ['Contactez M. Ada Quayle', 'Contactez M. Ada Quayle'],
    ['Communiquez avec Ada Quayle', 'Communiquez avec Ada Quayle'],
    ['Point of Contact (POC): Ada Quayle', 'Point of Contact (POC): Ada Quayle'],
    ['Contact Name\nAda Quayle', 'Contact Name\nAda Quayle'],
    ['Ada Quayle\nSenior Buyer', 'Ada Quayle\n'],
    ['Ada Quayle, HR Manager', 'Ada Quayle, '],
    ['Regards,\nAda Quayle', 'Regards,\nAda Quayle'],
    ['Prepared by: Ada Quayle', 'Prepared by: Ada Quayle'],
    ['Contact: J. Quayle', 'Contact: J. Quayle'],
    ['Contact: Jean-Luc d’Arcy', 'Contact: Jean-Luc d’Arcy'],
    ['Contact: Ada van der Quayle', 'Contact: Ada van der Quayle'],
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
    'Bids to Supply Lamps',
    'Closes at 4 p.m. Eastern Daylight Time',
    'A study led by Weir University',
    'Answers to this request for information (RFI) - Weir Lamp Reader',
    'Procurement Specialist, Level II',
    'founded by P. M. Hewlett Lamps',
    'Contact the buyer by Friday',
    'Contracting Officer, Defence Procurement Directorate',
    'Signed: the contract',
    'Class M. Lamps of Harbour Works Canada',
    'Contact: U. Office',
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
