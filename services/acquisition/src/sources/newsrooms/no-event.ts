/** What newsrooms publish beside the events that are recorded, in the order in which it is asked. */
const NO_EVENT: readonly (readonly [reason: string, pattern: RegExp])[] = [
  [
    'tells an opinion or advice',
    /\?|\bq&a\b|^(?:how|why|what|when|should|opinion|op-ed|meet|inside|the (?:benefits|importance|power|potential) of)\b|^\d+ (?:ways|tips|reasons|things|steps|questions)\b|\b(?:tips|guide to|top \d+|must-know|lessons|interviews?|explain(?:s|ed)|discusses|speaks|roundup|podcast|blog|op-ed|talks to)\b/i,
  ],
  [
    'is news of somebody else',
    /^(?:\p{L}*newsbreaks\b|stonegate|market alert|this company|company |big news for)|\b(?:investors have opportunity|class action|law firm reminds|initiates coverage|updates coverage|highlighted by|featured (?:in|on|by))\b/iu,
  ],
  [
    'tells of results, dates or shares',
    /\b(?:(?:first|second|third|fourth|1st|2nd|3rd|4th) quarter|q[1-4]|fiscal|full[- ]year|earnings|financial results|results for|to (?:report|announce|release|publish|host)|dividend|conference call|annual (?:general )?meeting|shareholders?|stockholders?|stock split|reverse split|buy-?back|repurchase|earnings guidance|(?<!chief )revenues?|monthly|prospectus|compliance period|record sales|net income)\b/i,
  ],
  [
    'tells of an award or a ranking',
    /\b(?:awards?(?!-)|named (?:to|a|an|one|among|the|best|as an? (?:leader|representative|finalist)|in|by)\b|recogni[sz](?:ed|es|tion)|honou?r(?:ed|s)|ranks?|ranked|winners?|wins|won|finalists?|nominat\w+|inc\. 5000|best places? to work|certified|accredit\w*|hall of fame|fastest-growing|who'?s who|milestone|anniversary)\b/i,
  ],
  [
    'tells of an event',
    /\b(?:webinar|conference|summit|to present|presents?|presentation|to attend|to speak|to exhibit|exhibits?|booth|keynote|panel|fireside|symposium|trade show|expo|tournament|festival|gala|concert|fair|hosts?|kicks? off|join us|save the date|to participate|showcas\w+|week|fundraiser)\b/i,
  ],
  [
    'tells of an acquisition or a sale',
    /\b(?:acquir\w+|acquisitions?|merg(?:er|es|ing)|takeover|takes over|to buy|buys|divest\w*|spin-?off|sale of|sells|sold|to sell)\b/i,
  ],
  [
    'tells of a plan, not of what happened',
    /\b(?:set to|plans? to|intends? to|aims to|coming soon|gears? up|prepares?|proposed|letter of intent|expects? to|exploring|explores|considers|in process of)\b/i,
  ],
  [
    'tells of what is taken back or long past',
    /\b(?:recalls?|years ago|(?:strategic|long-term|multi-year|exclusive) (?:partnership|alliance|collaboration|agreement) (?:ends|terminated)|terminat(?:es|ed|ion of) (?:the |its |their |an? )?(?:[^\s:;,]+ ){0,3}(?:partnership|alliance|collaboration|agreement|joint venture))\b/i,
  ],
  [
    'tells of a customer',
    /\b(?:selects|selected|chooses|chosen|case study|customer success|success story|deploys|adopts|implements|goes live|relies on|trusts)\b/i,
  ],
];

/** Why a headline tells of no event that is recorded; undefined when none of this is to be seen. */
export function findNoEvent(title: string): string | undefined {
  return NO_EVENT.find(([, pattern]) => pattern.test(title))?.[0];
}
