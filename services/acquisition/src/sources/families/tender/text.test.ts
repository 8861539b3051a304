import { expect, test } from 'vitest';
import { separated } from './text.ts';

test.each([
  ['corrective actions.Bidding and documents', 'corrective actions. Bidding and documents'],
  [
    'No.: BPM014160Department: Lamps (DL)Delivery Destination Area: Canada',
    'No.: BPM014160 Department: Lamps (DL) Delivery Destination Area: Canada',
  ],
  [
    'General informationDocument Type: noticeSolicitation Number: 27',
    'General information Document Type: notice Solicitation Number: 27',
  ],
  [
    'By: 0217 DAYS ADOLine 0002 Qty 22 ADOAll responsible sources',
    'By: 0217 DAYS ADO Line 0002 Qty 22 ADO All responsible sources',
  ],
  ['service de lampes.Besoins du quai', 'service de lampes. Besoins du quai'],
  ['service EngineerPart # FPG-10', 'service Engineer Part # FPG-10'],
])('%s', (text, apart) => {
  expect(separated(text)).toBe(apart);
});

test.each([
  'See https://lamps.example/Forms.Pdf and www.merx.com',
  'U.S.Army, FedBid.com, PowerPoint and SharePoint Online: licences',
  'MacDonald: 24.12.2026 at 14:00',
  'McQuayle Lamps Inc.',
  'XMLHttpRequest, USNavy, DVDs',
])('%s stays as it is', (text) => {
  expect(separated(text)).toBe(text);
});
