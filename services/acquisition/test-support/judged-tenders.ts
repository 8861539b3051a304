import { expect } from 'vitest';
import type { Closing } from '../src/connector/mapped.ts';

export interface Row {
  readonly page: string;
  readonly asks?: Readonly<Record<string, unknown>> & {
    readonly excerpt: RegExp;
    readonly place: string | undefined;
  };
  readonly closes?: Partial<Closing>;
  readonly leftOut?: string;
}

const CANADABUYS = 'https://canadabuys.canada.ca/en/tender-opportunities';

export const OPEN_TENDERS: readonly Row[] = [
  {
    page: 'https://www.merx.com/public/solicitations/4060671808/abstract?language=EN',
    asks: {
      company: { name: 'Bank of Canada', country: 'CA', hostnames: [], identifiers: [] },
      country: 'CA',
      occurredAt: new Date('2026-08-17T00:00:00Z'),
      expiresAt: new Date('2026-09-25T03:59:00Z'),
      eventIdentifiers: numbers('2026-025', 'MX-444131958973'),
      categories: [],
      observedFact: expect.stringContaining('closes 2026-09-24'),
      place: undefined,
      excerpt:
        /^RFP .*\nBuyer: Bank of Canada\nClosing: 2026-09-24T23:59:00\nThe Bank is seeking .* the Bank’s .* actions\. Bidding/,
    },
  },
  {
    page: `${CANADABUYS}/tender-notice/pw-mer-005-29423`,
    asks: {
      company: { name: 'Public Works and Government Services Canada', country: 'CA', hostnames: [], identifiers: [] },
      country: 'CA',
      occurredAt: new Date('2025-01-06T00:00:00Z'),
      expiresAt: new Date('2029-03-30T18:00:00Z'),
      eventIdentifiers: numbers('EVC01-202003/C', 'PW-_MER-005-29423'),
      categories: [],
      observedFact: expect.stringContaining('(Request for Proposal), closes 2029-03-30'),
      place: undefined,
      excerpt:
        /^.*\nBuyer: Public Works and Government Services Canada\nClosing: .*\nThe Government of Canada through this RFSA, intends/,
    },
  },
  {
    page: `${CANADABUYS}/tender-notice/ssc-26-00034400t`,
    leftOut: 'the notice keeps a list of suppliers and says that it asks for no bids',
  },
];

export const AWARDS: readonly Row[] = [
  award('cb-161-18514997', '01B68-25-0858', 'Department of Agriculture and Agri-Food', '2026-03-17'),
  award('mx-444028039551', '305-328-025', 'Marine Atlantic', '2025-07-07'),
  award('cb-606-97940858', '25-58049', 'National Research Council of Canada', '2026-07-17'),
];

/**
 * Columns: id, buyer, type, closing day, expiry, posted, number, sector, place. Or: id, reason to
 * leave it out.
 */
export const NOTICES_2025: readonly Row[] = table(`
622ed92c64644dc6b84bf0883bc13733 | DEPT OF THE ARMY | Solicitation | 2025-03-14 | 2025-03-14T19:00:00Z | 2025-03-07 | W912CL25Q0004A | 61 | USA
2218c90d22384dc0b6992c66faa672b7 | NATIONAL HIGHWAY TRAFFIC SAFETY ADMINISTRATION | Sources Sought | 2025-03-16 | 2025-03-17T03:59:00Z | 2025-03-05 | 693JJ925RQ000178 | 54 | Washington, DC, USA
573836bf8e7d47dc9b6c22ce80f601fe | DEFENSE LOGISTICS AGENCY | Solicitation | 2025-03-17 | 2025-03-18T03:59:00Z | 2025-02-18 | SPRDL125R0001 | 31-33 | 
683ec3dbadce44a0b5c81a09539dedf4 | DEFENSE LOGISTICS AGENCY | Solicitation | 2025-03-03 | 2025-03-03T20:00:00Z | 2025-02-13 | SPRDL1-24-R-0156 | 31-33 | Warren, MI, USA
dec4e660f6974b00858ccdeecddae18d | DEFENSE LOGISTICS AGENCY | Combined Synopsis/Solicitation | 2025-02-24 | 2025-02-25T05:00:00Z | 2025-02-09 | SPE7LX25U3807 | 31-33 | 
fa1f6f09cde9450c89b26efc7106c856 | VETERANS AFFAIRS, DEPARTMENT OF | Sources Sought | 2025-02-13 | 2025-02-13T18:00:00Z | 2025-02-05 | 36C26225Q0458 | 31-33 | San Diego, CA, USA
ee2ad15db384482abbaf2ccfa6137510 | DEFENSE LOGISTICS AGENCY | Solicitation | 2025-03-10 | 2025-03-10T19:00:00Z | 2025-02-04 | SPRDL1-25-Q-0054 | 31-33 | 
c0d4dd876c78419480c9792880bbc17b | DEFENSE LOGISTICS AGENCY | Sources Sought |  | 2025-07-01T04:00:00Z | 2025-02-03 | SPRDL125R0001 | 31-33 | 
9f72c25f7a1e4fb58ff8931de4736c35 | DEFENSE LOGISTICS AGENCY | Presolicitation | 2025-03-17 | 2025-03-17T16:00:00Z | 2025-01-29 | SPRDL125R0001 | 31-33 | 
ccc65412e7134ed497a21bb0189501f1 | DEFENSE LOGISTICS AGENCY | Sources Sought | 2025-02-07 | 2025-02-07T20:00:00Z | 2025-01-24 | SPRDL125Q0054 | 31-33 | 
`);

export const NOTICES_2026: readonly Row[] = table(`
ff9642d70c15414a85940230450bda32 | the notice type asks for no bids
fd05ce5247fb4bc1b86e1ce4691bb74b | PUBLIC BUILDINGS SERVICE | Presolicitation | 2026-02-28 | 2026-02-28T23:00:00Z | 2026-02-02 | EQ8PSCC250025 PBS PROJECT DELIVERY WEST - BRANCH A | 23 | Grand Junction, CO, USA
fc82b63eeaa740d582bb8f72e06cd4f2 | DEPT OF THE NAVY | Solicitation | 2026-02-10 | 2026-02-10T01:00:00Z | 2026-02-02 | N6264926RK007 | 31-33 | Chinhae, Gyeongnam, KOR
fa64c8a8b90c428cba52cd7bbbbb7d50 | DEFENSE LOGISTICS AGENCY | Presolicitation | 2026-02-17 | 2026-02-17T22:00:00Z | 2026-02-02 | SPRTA1-26-R-0138 | 31-33 | USA
fa01b8393b144750b2dddb5288592ec3 | ENERGY, DEPARTMENT OF | Solicitation | 2026-03-04 | 2026-03-04T21:00:00Z | 2026-02-02 | 473749 BROOKHAVEN NATL LAB -DOE CONTRACTOR | 31-33 | NY, USA
f9fcad94078d458ba48f364f2baa078b | UNITED STATES GOVERNMENT PUBLISHING OFFICE | Combined Synopsis/Solicitation | 2026-02-06 | 2026-02-06T18:00:00Z | 2026-02-02 | 432953 Customer Services | 31-33 | 
f95fb353d56545478dd76819be1013fa | DEPT OF THE NAVY | Solicitation | 2026-03-04 | 2026-03-04T20:30:00Z | 2026-02-02 | N0010426QZA18 | 31-33 | 
f90fba9ebf6243ed8290c4ed4603c182 | the award is made under a schedule that stays open
f85ff581f08d4d408ae0214beb569d95 | FOREST SERVICE | Combined Synopsis/Solicitation | 2026-02-13 | 2026-02-13T21:30:00Z | 2026-02-02 | 1202SC21Q0004 | 31-33 | Boise, ID, USA
f82d4bb69ea147e19a2b30eaa987afb1 | DEPT OF THE NAVY | Solicitation | 2026-03-02 | 2026-03-02T20:30:00Z | 2026-02-02 | N0010426QBL15 | 31-33 | 
`);

function table(text: string): Row[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([id = '', ...cells]) =>
      cells.length === 1 ? { page: samPage(id), leftOut: cells[0] ?? '' } : { page: samPage(id), asks: asked(cells) },
    );
}

function asked(cells: readonly string[]): NonNullable<Row['asks']> {
  const [buyer = '', type = '', day = '', expires = '', posted = '', number = '', sector = '', place = ''] = cells;
  return {
    company: { name: buyer, country: 'US', hostnames: [], identifiers: [] },
    country: 'US',
    occurredAt: new Date(`${posted}T00:00:00Z`),
    expiresAt: new Date(expires),
    eventIdentifiers: numbers(number),
    categories: [sector],
    observedFact: expect.stringContaining(`(${type})${day === '' ? '' : `, closes ${day}`}`),
    place: place === '' ? undefined : place,
    excerpt: /^\S.*\nBuyer: \S.*\nClosing: \S+\nType: /,
  };
}

function award(page: string, number: string, buyer: string, day: string): Row {
  return {
    page: `${CANADABUYS}/award-notice/${page}`,
    closes: {
      eventIdentifiers: numbers(number),
      company: { name: buyer, country: 'CA', hostnames: [], identifiers: [] },
      reason: 'awarded',
      closedAt: new Date(`${day}T00:00:00Z`),
    },
  };
}

function samPage(id: string): string {
  return `https://sam.gov/opp/${id}/view`;
}

function numbers(...values: readonly string[]) {
  return values.map((value) => ({ scheme: 'solicitation' as const, value }));
}
