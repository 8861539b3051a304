import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Submission, submission } from '../../../test-support/edgar-submission.ts';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { type ReadSource, readBeside, summarise } from '../../../test-support/read-source.ts';
import { DriftWatch } from '../../ingest/drift.ts';
import { sec8k } from './source.ts';

const HEADING = 'Departure of Directors or Certain Officers; Election of Directors';
const APPOINTED =
  'On November 2, 2026, Weirworks Inc. appointed Ada M. Sluice as Chief Financial Officer, effective December 1, 2026.';

async function read(text: string): Promise<ReadSource> {
  return summarise(await readDocument(sec8k, documentOfText(text, { fetchedAt: new Date('2026-11-06T00:00:00Z') })));
}

async function report(item: string, text: string, about: Submission = {}): Promise<ReadSource> {
  const page = `<html><head><title>8-K</title></head><body>
    <div style="display:none"><ix:header>0009999999 false</ix:header></div>
    <p>Registrant’s telephone number, including area code: (555) 555-0142</p>
    <p>Item&#160;${item} ${HEADING}.</p><p>${text}</p><p>SIGNATURES</p><p>/s/ Pat Example</p></body></html>`;
  return await read(submission(page, about));
}

describe('item 5.02', () => {
  test('says who comes and goes, dated by the event and numbered by the filing', async () => {
    const { observations, raws } = await report('5.02', APPOINTED);
    expect(observations).toMatchObject([
      {
        key: '0009999999-26-000017#5.02',
        kind: 'leadership_change',
        company: { name: 'WEIRWORKS INC', country: 'US', identifiers: [{ scheme: 'cik', value: '0009999999' }] },
        observedFact: `WEIRWORKS INC reported a change of officers or directors: ${APPOINTED}`,
        occurredAt: new Date('2026-11-02T00:00:00Z'),
        confidence: 0.7,
        eventIdentifiers: [{ scheme: 'accession', value: '0009999999-26-000017' }],
        categories: [],
        excerpts: [APPOINTED],
      },
    ]);
    expect(raws[0]?.uri).toBe(
      'https://www.sec.gov/Archives/edgar/data/9999999/000999999926000017/0009999999-26-000017-index.htm',
    );
  });

  test('names both who goes and who follows', async () => {
    const left = '(b) On November 1, 2026, Mr. Tom Brook notified the board of his retirement as President.';
    const { observations } = await report('5.02', `${left} ${APPOINTED}`);
    expect(observations[0]?.observedFact).toContain(`${left.slice(4)} ${APPOINTED}`);
    expect(observations[0]?.excerpts).toHaveLength(2);
  });

  test.each([
    'On November 2, 2026, the Compensation Committee granted options that vest on retirement of an officer.',
    'On November 2, 2026, the board set the targets of its named executive officers, such as Ada M. Sluice.',
  ])('about only pay is left out: %s', async (pay) => {
    expect((await report('5.02', pay)).leftOut).toEqual(['item 5.02 reports pay or plans, and no change of a person']);
  });

  test.each([
    'On November 2, 2026, Ada M. Sluice resigned from the Company. Ms. Sluice had served as General Manager.',
    'Weirworks today announced a new structure. It includes the termination of Ada Sluice, President of the Company.',
    'Mr. Brook’s employment with the Company terminated on November 2, 2026 and he will receive a severance payment.',
    'On November 2, 2026, Tom Brook notified the Company that he will not stand for re-election as a director.',
    'On November 2, 2026, Carla A. Weir informed the Company of her decision to retire from the Board.',
    'On November 2, 2026, the Board elected Tomas J. (Tom) Brook, former head of Lockworks, as a director.',
    'On November 2, 2026, the Company announced that Ada Sluice will transition her role as Chief Operating Officer.',
    'On November 2, 2026, the Company chose a new structure. Mr. Brook will no longer serve as an officer.',
    'On November 2, 2026, Director Tom M. Brook retired as a director of the Company.',
    'On November 2, 2026, the Company was informed by Ada Sluice that she would resign as Chief Financial Officer.',
    'A separation was announced on November 2, 2026. Mr. Brook will leave his position effective December 1, 2026.',
  ])('says so in the words of a report: %s', async (change) => {
    expect((await report('5.02', change)).observations).toMatchObject([{ kind: 'leadership_change' }]);
  });

  test.each([
    'Mr. Brook will receive $2 million if his employment as President is terminated on or before June 30, 2027.',
    'On November 2, 2026, the board approved a bonus for Ada Sluice, who was promoted to President in May.',
    'Prior to joining the Company, Mr. Tom Brook was appointed President of Lockworks, effective May 1, 2019.',
    'On November 2, 2026, the stockholders approved an amendment of the plan.',
    'On November 2, 2026, the agreement took effect as of the termination of the employment agreement of Ada Sluice.',
    'On November 2, 2026, the Company said that it would resign itself to a loss of Ada Sluice as President.',
    'On November 2, 2026, terms were agreed: a qualifying termination is a resignation of Ada Sluice, our President.',
  ])('is quoted without pay, careers and forecasts: %s', async (other) => {
    expect((await report('5.02', other)).observations).toEqual([]);
  });

  test('without content is not left out as one about pay', async () => {
    const { leftOut, refused } = await report('5.02', 'The disclosure is in another report.');
    expect([leftOut, refused]).toEqual([[], ['Item 5.02 names no officer or director with a dated change']]);
  });

  test('without a name is refused', async () => {
    const { refused } = await report('5.02', 'On November 2, 2026, a director of the Company resigned from the Board.');
    expect(refused).toEqual(['Item 5.02 names no officer or director with a dated change']);
  });
});

describe('item 1.01', () => {
  test.each([
    'entered into a joint venture agreement with Sluice Partners Corp. to build lock gates',
    'entered into a long-term supply agreement with Gate Steel Inc. for lock gates',
    'entered into a strategic alliance with Gate Steel Inc.',
    'entered into an exclusive license agreement (the “Agreement”) with Gate Steel Inc.',
    'executed a Manufacturing, Supply, and License Agreement with Gate Steel Inc.',
    'entered into an agreement with Gate Steel Inc. by which that one becomes the exclusive distributor of its gates',
    'entered into the Limited Liability Company Agreement of Lock Project, LLC with Gate Steel Inc. (the “JV”)',
    'extended its distribution agreement with Gate Steel Inc. for a year',
    'entered into a collaborative development program (“CDP”) agreement with Gate Steel Inc.',
    'amended two collaborative development program agreements with Gate Steel Inc.',
  ])('%s: a partnership', async (deed) => {
    const { observations } = await report('1.01', `On November 2, 2026, Weirworks Inc. ${deed}.`);
    expect(observations).toMatchObject([{ kind: 'partnership', country: 'US' }]);
    expect(observations[0]?.observedFact).toContain(deed);
  });

  test.each([
    'entered into a credit agreement with Fair Bank for a revolving credit facility',
    'entered into an agreement and plan of merger with Sluice Partners Corp., its partner with a supply agreement',
    'entered into a limited partnership agreement with a strategic alliance fund',
    'entered into an underwriting agreement for the sale of shares',
    'entered into a distribution agreement with Fair Securities, Inc. and others, as agents, to sell its shares',
    'signed a non-binding term sheet with Gate Steel Inc. to form a joint venture',
    'agreed to indemnify Fair Partners with respect to liabilities',
    'learned that an order instructs others of entering into offtake agreements for gates',
    'said that its license agreement with Gate Steel Inc. may be amended',
    'warned that forward-looking statements bear risks, as it entered into joint marketing agreements in the past',
    'was spun off, and entered into a license agreement with its former parent',
  ])('%s: refused by the item', async (deed) => {
    const { observations, refused } = await report('1.01', `On November 2, 2026, Weirworks Inc. ${deed}.`);
    expect(observations).toEqual([]);
    expect(refused).toEqual(['Item 1.01 is no alliance, supply, licence or joint venture agreement']);
  });
});

async function page(text: string, about: Submission = {}): Promise<ReadSource> {
  return await read(submission(text, about));
}

describe('the items of a report', () => {
  const CONTENTS = ['1.01', '5.02']
    .map((item) => `<tr><td>Item ${item}</td><td>${HEADING}</td><td>2</td></tr>`)
    .join('');

  test('are the ones after its table of contents, which may also end with the signatures', async () => {
    const contents = `<table>${CONTENTS}<tr><td>SIGNATURES</td></tr></table>`;
    const { observations } = await page(`<html>${contents}<p>Item 5.02 ${HEADING}</p><p>${APPOINTED}</p></html>`);
    expect(observations).toMatchObject([{ kind: 'leadership_change', excerpts: [APPOINTED] }]);
  });

  test('of plain text are whole sentences again, over wrapped lines and pages', async () => {
    const text = [
      '<PAGE>',
      '                          FORM 8-K',
      '',
      'ITEM 5.02  DEPARTURE OF DIRECTORS OR PRINCIPAL OFFICERS',
      '',
      '     On November 2, 2026, Weirworks Inc. appointed',
      'Ada M. Sluice as Chief',
      '',
      '                                2',
      '<PAGE>',
      '',
      'financial officer, effective December 1, 2026.',
      '',
      '                            SIGNATURES',
    ].join('\n');
    const [found] = (await page(text)).observations;
    expect(found?.excerpts).toEqual([APPOINTED.replace('Financial Officer', 'financial officer')]);
  });

  test.each([
    ['alone on its line', `<p>Item 5.02</p><p>${HEADING}</p>`],
    ['with a letter', `<p>Item 5.02(b), (c)</p>`],
    ['in capitals behind a section', `<p>SECTION 5 – CORPORATE GOVERNANCE ITEM 5.02. ${HEADING.toUpperCase()}</p>`],
    ['beside another one', `<p>Items 1.01 and 5.02 Entry into an Agreement; ${HEADING}</p>`],
    ['over two cells', `<table><tr><td>Item&#160;5.02</td><td>${HEADING}.</td></tr></table>`],
  ])('may be headed %s', async (_, heading) => {
    const { observations } = await page(`<html>${heading}<p>${APPOINTED}</p></html>`);
    expect(observations).toMatchObject([{ kind: 'leadership_change', excerpts: [APPOINTED] }]);
  });

  test('may have their text in the line of the heading', async () => {
    const { observations } = await page(`<html><p>Item 5.02 ${HEADING} ${APPOINTED}</p></html>`);
    expect(observations).toMatchObject([{ kind: 'leadership_change', excerpts: [APPOINTED] }]);
  });

  test('may have a title whose parts the Greek question mark parts, which looks like a semicolon', async () => {
    const title = 'Departure of Directors or Certain Officers\u037e Election of Directors';
    const { observations } = await page(`<html><p>Item 5.02 ${title} ${APPOINTED}</p></html>`);
    expect(observations).toMatchObject([{ kind: 'leadership_change', excerpts: [APPOINTED] }]);
  });

  test('keep the words of a title that goes on in small letters', async () => {
    const title =
      'Unregistered Sales of Equity Securities and what Weirworks Inc. sold 400,000 shares for: $2.0 million for cash.';
    const { observations } = await page(`<html><p>Item 3.02 ${title}</p></html>`);
    expect(observations).toEqual([]);
  });

  test('are not parted by a sentence that begins with the number of one', async () => {
    const refers = '<p>Item 1.01 of this report is incorporated by reference.</p>';
    const { observations } = await page(`<html><p>Item 5.02 ${HEADING}</p>${refers}<p>${APPOINTED}</p></html>`);
    expect(observations).toMatchObject([{ kind: 'leadership_change' }]);
  });

  test('had one number before 23 August 2004', async () => {
    const text = `<html><p>ITEM 6. Resignations of Registrant's Directors</p><p>${APPOINTED}</p></html>`;
    const about = { filed: '20040301', period: '20040301' };
    expect((await page(text, about)).observations).toMatchObject([{ key: '0009999999-26-000017#5.02' }]);
    expect((await page(text)).observations).toEqual([]);
  });

  test('that no line heads leave the report its whole text', async () => {
    const { records, refused } = await page(`<html><p>Letter to the Commission.</p><p>${APPOINTED}</p></html>`);
    expect(records[0]?.text).toContain(APPOINTED);
    expect(refused).toEqual(['Item heads no section of the report']);
  });
});

describe('item 3.02', () => {
  const SOLD =
    'On November 2, 2026, Weirworks Inc. sold 400,000 shares of its common stock to Gate Fund LP for gross proceeds of $2.0 million.';

  test('says what was sold for how much', async () => {
    const { observations } = await report('3.02', SOLD);
    expect(observations).toMatchObject([
      {
        key: '0009999999-26-000017#3.02',
        kind: 'funding_round',
        observedFact: `WEIRWORKS INC reported an unregistered sale of equity: ${SOLD}`,
        confidence: 0.7,
        excerpts: [SOLD],
      },
    ]);
  });

  test.each([
    'Gate Fund LP agreed to purchase 400,000 shares of common stock for an aggregate purchase price of $2.0 million.',
    'We agreed with investors on the purchase and sale of 400,000 shares at a purchase price of $5.00 per share.',
    'The investors are purchasing 400,000 shares of Series A Preferred Stock, no par value, at a price of $5.00 per share.',
    'We entered into subscription agreements, whereby we issued 400,000 shares at a price of US$5.00 per share.',
    'The Company completed its first closing and received gross proceeds of $2.0 million for the shares, before deducting placement agent’s fees.',
    'It would sell senior convertible notes (the shares due upon conversion, the “Conversion Shares”) for a total purchase price of $2.0 million.',
    'The Company completed the private sale of 2,000,000 warrants to Lock Acquisition Corp. at a purchase price of $1.00 per warrant.',
    'It would sell convertible notes (its shares (the “Shares”) due upon conversion, the “Conversion Shares”) for a total purchase price of $2.0 million.',
    'The Company completed a unit offering of an aggregate of $1,215,000 of its Series K Preferred Stock.',
    'We issued $350,000 principal amount of convertible notes and warrants in exchange for $350,000 cash from Gate Fund LP.',
    'The Company entered into a $310,000 private placement of convertible notes and warrants.',
    'The Company completed a $5.0 million stock offering in a private placement to accredited investors.',
    'It closed an approximately US$2,000,000 non-brokered private placement of common shares.',
    '(i) 1,050 preferred shares at a price of $1,000 per share for aggregate gross proceeds of $1.05 million, and (ii) warrants.',
  ])('says so where the buyer is named: %s', async (text) => {
    expect((await report('3.02', text)).observations).toMatchObject([{ kind: 'funding_round' }]);
  });

  test('says nothing of shares that the company itself buys', async () => {
    const text =
      'The Company agreed to purchase 400,000 shares of Lockworks for an aggregate purchase price of $2.0 million.';
    expect((await report('3.02', text)).observations).toEqual([]);
  });

  test('says it by item 1.01, where it only refers to that', async () => {
    const text = `Item 3.02 Unregistered Sales.</p><p>The information in Item 1.01 of this report is incorporated by reference.`;
    const { observations, leftOut } = await report('1.01', `${SOLD}</p><p>${text}`);
    expect(observations).toMatchObject([{ key: '0009999999-26-000017#3.02', kind: 'funding_round' }]);
    expect(observations[0]?.excerpts[0]).toContain(SOLD);
    expect(leftOut).toEqual(['item 1.01 is no alliance, supply, licence or joint venture agreement']);
  });

  test.each([
    'issued 400,000 shares upon conversion of notes, an aggregate purchase price of $2.0 million',
    'issued and sold shares in lieu of fees for services with total proceeds of $2.0 million',
    'may sell shares from time to time for gross proceeds of up to $50 million',
    'sold 400,000 shares of its common stock to Gate Fund LP',
    'sold 400,000 shares of its common stock, par value $0.001 per share, to Gate Fund LP',
    'sold warrants for advice, with an exercise price of $5.00 per share',
    'has sold shares, exempt from registration, to Gate Fund LP, which has committed to purchase $50 million of them at $5.00 per share',
    'may not issue or sell more than 19.99% of its shares to Gate Fund LP unless at an average price of $5.00 per share',
    'issued 400,000 shares to the selling shareholders at a price of $5.00 per share',
    'sold 400,000 shares for gross proceeds of $2.0 million by a prospectus supplement',
    'entered into a $2.0 million credit facility and issued warrants to the lender',
    'plans a $2.0 million private placement of common stock',
    'issued 400,000 shares in exchange for notes of $2.0 million',
    'entered into a $2.0 million private placement of secured notes',
  ])('%s: refused by the item', async (deed) => {
    const { observations, refused } = await report('3.02', `On November 2, 2026, Weirworks Inc. ${deed}.`);
    expect(observations).toEqual([]);
    expect(refused).toEqual(['Item 3.02 names no amount of money for which shares were sold']);
  });
});

describe('item 8.01', () => {
  test('with a site says its country, which may be another one than the company’s', async () => {
    const text = 'On November 2, 2026, Weirworks Inc. opened a new manufacturing plant in Windsor, Ontario.';
    expect((await report('8.01', text)).observations).toMatchObject([
      { kind: 'facility_expansion', country: 'CA', company: { country: 'US' } },
    ]);
  });

  test.each(['Monterrey, Mexico', 'the North'])('with a site in %s is refused', async (place) => {
    const { refused } = await report('8.01', `Weirworks Inc. opened a new manufacturing plant in ${place}.`);
    expect(refused).toEqual(['Item 8.01 names no site in Canada or the United States']);
  });

  test('with a press release says what that one launches', async () => {
    const release = '<p>Exhibit 99.1</p><p>Weirworks launches its new sluice control software.</p>';
    const { observations } = await report('8.01', 'A press release is attached as Exhibit 99.1.', {
      exhibits: [['EX-99.1', release]],
    });
    expect(observations).toMatchObject([
      { kind: 'product_launch', excerpts: ['Weirworks launches its new sluice control software.'] },
    ]);
  });

  test('counts the lines of a release’s head apart', async () => {
    const head = ['Exhibit 99.1', 'NEWS', 'Weirworks Inc.', 'A day for locks'].map((line) => `<p>${line}</p>`).join('');
    const launch = 'Weirworks launched its new sluice control software.';
    const { observations } = await report('8.01', 'A press release is attached as Exhibit 99.1.', {
      exhibits: [['EX-99.1', `${head}<p>WINDSOR, Ont. ${launch}</p>`]],
    });
    expect(observations).toMatchObject([{ kind: 'product_launch' }]);
  });

  test('takes no line of a head that ends with the name of a company for a sentence', async () => {
    const head = ['Weirworks Inc.', 'Lockworks Corp.', 'Sluice & Co.'].map((line) => `<p>${line}</p>`).join('');
    const launch = 'Weirworks and Lockworks launched their new sluice control software.';
    const { observations } = await report('8.01', 'A press release is attached as Exhibit 99.1.', {
      exhibits: [['EX-99.1', `${head}<p>${launch}</p>`]],
    });
    expect(observations).toMatchObject([{ kind: 'product_launch' }]);
  });

  test('with a letter that looks back on launches says none', async () => {
    const letter = [
      '<p>Dear shareholders,</p><p>The year was a good one. Our people did well.</p>',
      '<p>Sales rose by a tenth. We launched new software for sluices in spring.</p>',
    ].join('');
    const { observations } = await report('8.01', 'A press release is attached as Exhibit 99.1.', {
      exhibits: [['EX-99.1', letter]],
    });
    expect(observations).toEqual([]);
  });

  test.each([
    'Weirworks Inc. launched a tender offer for its shares of any product.',
    'Weirworks Inc. will launch its new software next year.',
    'Weirworks Inc. announced a dividend.',
  ])('%s: refused by the item', async (text) => {
    expect((await report('8.01', text)).refused).toEqual(['Item 8.01 is no launch, site or partnership by any rule']);
  });
});

describe('texts that only sound like an event are not events', () => {
  test.each([
    [
      '3.02',
      'On May 2, 2026, Weirworks Inc. agreed to purchase 400,000 shares of Lockworks for an aggregate purchase price of $2.0 million.',
    ],
    ['3.02', 'The Company also agreed to purchase shares for an aggregate purchase price of $2.0 million.'],
    [
      '3.02',
      'The agreement provides for the purchase and sale of all of the outstanding shares of Lockworks Ltd. for an aggregate purchase price of $20 million.',
    ],
    ['5.02', 'As of November 2, 2026, Ada Sluice no longer holds any shares of common stock of the Company.'],
    ['5.02', 'As of November 2, 2026, Ada Sluice no longer held office space in Boston.'],
    ['8.01', 'Weirworks introduced its new Chief of Product.'],
  ])('item %s: %s', async (item, text) => {
    expect((await report(item, text)).observations).toEqual([]);
  });
});

describe('a submission', () => {
  test('of a Canadian company has its country, of any other is refused by the field', async () => {
    expect((await report('5.02', APPOINTED, { state: 'A6' })).observations[0]?.company.country).toBe('CA');
    expect((await report('5.02', APPOINTED, { state: 'X0' })).refused).toEqual([
      'state of the business address is in neither Canada nor the United States',
    ]);
  });

  test('that amends another one is left out, other forms and items too', async () => {
    expect((await report('5.02', APPOINTED, { form: '8-K/A' })).leftOut).toHaveLength(1);
    expect((await report('5.02', APPOINTED, { form: '10-Q' })).refused).toEqual([
      'form type is none that is read here',
    ]);
    expect((await report('5.07', 'Votes were cast.')).leftOut).toEqual([
      'reports none of the items 1.01, 3.02, 5.02, 7.01 and 8.01',
    ]);
  });

  test('keeps no telephone number of its header, no graphics, and says none', async () => {
    const { raws, observations } = await report('5.02', `${APPOINTED} Call us at 555-555-0142.`);
    expect(raws[0]?.content).not.toMatch(/BUSINESS PHONE|begin 644/);
    expect(observations[0]?.excerpts).toEqual([APPOINTED]);
  });

  test('says the same with the ends of lines of another system', async () => {
    const text = submission(`<p>Item 5.02 ${HEADING}.</p>\n<p>${APPOINTED}</p>`);
    const expected = await read(text);
    expect(expected.observations).toHaveLength(1);
    for (const end of ['\r\n', '\r']) expect(await read(text.replaceAll('\n', end))).toEqual(expected);
  });

  test('without its period, or with a changed word for it, is refused and is drift', async () => {
    const text = submission('<p>Item 5.02</p>').replace('CONFORMED PERIOD OF REPORT', 'CONFORMED EVENT DATE');
    const { refused, raws } = await read(text);
    expect(refused).toEqual(['period of report is missing']);
    const drift = new DriftWatch(sec8k.fields);
    for (const raw of raws) drift.observe(raw.fields);
    expect(drift.missing()).toEqual(['period of report']);
  });

  test('says the same in whatever order it holds its documents', async () => {
    const exhibits: Submission = { exhibits: [['EX-99.1', '<p>Weirworks launches its new sluice software.</p>']] };
    const text = 'A press release is attached as Exhibit 99.1.';
    const { raws, observations } = await report('8.01', text, exhibits);
    const kept = JSON.parse(raws[0]?.content ?? '');
    const turned = JSON.stringify({ ...kept, documents: kept.documents.toReversed() });
    expect(kept.documents).toHaveLength(2);
    expect(sec8k.extract(turned)).toBe(sec8k.extract(raws[0]?.content ?? ''));
    expect(observations).toHaveLength(1);
  });

  test('with hostile text keeps it data', async () => {
    const hostile = `${APPOINTED.slice(0, -1)}<script>alert(1)</script>; ignore all instructions '); drop table x; --.`;
    const { observations } = await report('5.02', hostile);
    expect(observations[0]?.observedFact).toContain("ignore all instructions '); drop table x; --");
    expect(observations[0]?.observedFact).not.toContain('alert(1)');
  });
});

describe('the feed of current filings', () => {
  test('leads to each full submission once, and says nothing itself', async () => {
    const feed = await readBeside(import.meta.url, 'documents/getcurrent.xml', sec8k);
    expect(feed.followUps.map(({ url }) => url)).toEqual([
      'https://www.sec.gov/Archives/edgar/data/9999999/0009999999-26-000017.txt',
      'https://www.sec.gov/Archives/edgar/data/9999998/0009999998-26-000003.txt',
    ]);
    expect(feed.observations).toEqual([]);
    expect([...feed.refused].sort()).toEqual(['accession number is missing', 'form type is none that is read here']);
    for (const raw of feed.raws) expect(raw.content).not.toContain('Jane');
  });

  test('with a renamed member leads nowhere and is drift', async () => {
    const text = await readFile(new URL('documents/getcurrent.xml', import.meta.url), 'utf8');
    const feed = await read(text.replaceAll('<category ', '<class '));
    const drift = new DriftWatch(sec8k.fields);
    for (const raw of feed.raws) drift.observe(raw.fields);
    expect(drift.missing()).toEqual(['form type']);
    expect([...feed.observations, ...feed.followUps]).toEqual([]);
  });
});

test('a run requests pages of the feed once the operator has set a contact address for the SEC', () => {
  const context = { now: new Date(), settings: new Map([['contact', 'ops@operator.example']]), watermark: undefined };
  const [first] = sec8k.requests?.(context) ?? [];
  expect(first?.url).toMatch(/^https:\/\/www\.sec\.gov\/cgi-bin\/browse-edgar\?action=getcurrent&type=8-K&/);
  expect(sec8k.settings).toMatchObject([{ name: 'contact', required: true }]);
});
