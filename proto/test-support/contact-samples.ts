import fc from 'fast-check';

export const CONTACTS = [
  'jane.doe@agency.example',
  'Jane_Doe+bids@mail.agency.example',
  'élise@société.example',
  'jane.doe (at) agency.example',
  'jane.doe [at] agency [dot] example',
  'jane (at) mail (dot) agency (dot) example',
  'jane.doe @ agency.ca',
  'jane.doe @ agency . ca',
  'Jane @ Agency . Example',
  'jane.doe AT agency DOT ca',
  'jane at pwgsc dot gc dot ca',
  'jane.doe＠agency．example',
  'jane.doe﹫agency.example',
  '(613) 555-0142',
  '(613)555-0142',
  '613-555-0142',
  '613.555.0142',
  '613 555 0142',
  '613-555-0142 ext. 23',
  '819-555-0142 poste 123',
  '1-800-555-0142',
  '+1 613 555 0142',
  '+44 20 7946 0958',
  'Phone: 613/555-0142',
  'Tel 555-0142',
  'fax number (907)555-0142',
  'call us at 8005550142',
  'téléphone : 613-555-0142',
  '６１３－５５５－０１４２',
  '（613）555−0142',
  'Tel: ５５５－０１４２',
  '𝟔𝟏𝟑-555-𝟎𝟏𝟒𝟐',
];

export const NO_CONTACTS = [
  'The notice PW-$$PH-884-64180 closes on 2014-07-09.',
  'It raised $12,500,000 in 2013 and 1,250,000 shares in 2014.',
  'Solicitation W8484-125345/A, file 5330-01-234-5678, 123-456-7890-1234.',
  'NAICS 541512, GSIN N7510, 2012-2014, 10:30 to 16:00.',
  'Follow @example or call it a 1-800-FLOWERS moment.',
  'Phone systems for 1200 desks; mobile cranes, 30 t.',
  'Look at polka dot fabric; be at the dot matrix printer.',
  'Software Engineer @ Weir Works. Canada is where it is.',
  'Ball bearings @ 5 units, 3 units at 2.50 each.',
  'ＡＢＣ　Ｌｔｄ．　１２３',
];

/** Texts of words, digits and contacts in any order, with and without blanks between them. */
export function texts(): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(...CONTACTS, ...NO_CONTACTS),
    fc.constantFrom('Ends here. ', 'word ', '\n', ' ', '-', '.', '@', '+', '(', ')', 'tel ', '555', '0142'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  return fc.array(part, { maxLength: 80 }).map((parts) => parts.join(''));
}
