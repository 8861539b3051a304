import { describe, expect, test } from 'vitest';
import { isBoilerplate } from './boilerplate.ts';
import { requirementText } from './requirement.ts';

describe('texts without a requirement', () => {
  test.each([
    'Trade Agreement: CETA/CFTA',
    'Entente sur le commerce : AECG/ALEC',
    'Tendering Procedures: All interested suppliers may submit a bid',
    'Comprehensive Land Claim Agreement: No',
    'NOTICE TO CONTRACTORS',
    'This notice is not a solicitation.',
    '(i) This is a combined synopsis/solicitation for commercial items prepared in accordance with the format in Subpart 12.6.',
    'This announcement constitutes the only solicitation; proposals are being requested.',
    'The solicitation number is W9AB01-27-Q-0001 and is issued as a Request for Quote (RFQ).',
    'This requirement is a 100 % small business set-aside.',
    'Bids must be submitted electronically.',
    'Interested suppliers are invited to register.',
    'Les soumissionnaires doivent présenter leur offre par voie électronique.',
    'Bidding and Documents are available on the portal.',
    'Amendment 002 is raised to extend the closing date.',
    'This RFSA cancels and supersedes the previous RFSA number WX000-270001/B.',
    'See attached specifications.',
    'Document Type: Notice Solicitation Number: 27 Posted Date: 1 May Response Date: 2 June',
  ])('%s', (unit) => {
    expect(isBoilerplate(unit)).toBe(true);
  });
});

describe('the requirement is found', () => {
  test.each([
    'The Harbour Office requires forty lamps.',
    'This solicitation is issued for the dredging of the inner basin.',
    'This acquisition is for one scintillation counter.',
    'The contractor shall provide all labor and materials to repair the quay.',
    'Requirement: forty lamps',
    'Lamps: red and green',
    'Solicitation number W9AB01-27-Q-0001, NSN 4030-01-501-6946 Hook, Hoist.',
    'Le port demande quarante lampes.',
    'Proposed procurement for NSN 6610005267852 TUBE:',
  ])('%s', (unit) => {
    expect(isBoilerplate(unit)).toBe(false);
  });

  test('after a run-on sentence, where the buyer states it at last', () => {
    const pricing = 'The solicitation pricing on the portal will start on the date this solicitation is posted';
    const wanted = 'The Harbour Office requires the following items: LI 001: lamps, 40, EA';
    expect(requirementText(`${pricing} FOB Destination shall be the quay ${wanted}`, 'Lamps')).toBe(wanted);
  });

  test('not in a repeated title, in a number, in a contact', () => {
    expect(requirementText('LAMPS\nWX000-270001/A\nQuayle, Ada\nTel. 902-555-0142\nForty of them.', 'Lamps')).toBe(
      'Forty of them.',
    );
  });

  test.each(['Contact:', 'Contracting Officer:', 'Questions:'])('not in a name below its label: %s', (label) => {
    const wanted = requirementText(`See attached documents.\n${label}\nAda Quayle\nForty lamps are wanted.`, 'Lamps');
    expect(wanted).toContain('Forty lamps');
    expect(wanted.startsWith('Ada')).toBe(false);
  });

  test('nowhere: nothing is left', () => {
    expect(requirementText('See attached documents.\nBids must be signed.', 'Lamps')).toBe('');
  });
});
