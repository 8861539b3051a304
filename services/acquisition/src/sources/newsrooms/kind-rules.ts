import type { KindRule } from './kind-rule.ts';

const LEADERSHIP: KindRule = {
  kind: 'leadership_change',
  act: /\b(?:appoint(?:s|ed|ments?)?|names|named|hires|promot(?:es|ed|ions?)|elects|elected|elevates|welcomes|adds|taps|joins|retires?|resigns|steps? down|departs|succeeds|(?:announces?|strengthens|expands|bolsters) (?:its |key |new |executive |senior |board )*(?:leadership|executive|management|board)\b)/i,
  object:
    /\b(?:c[efotmrpsdi]o|chief (?:[\p{L},&-]+ ){1,6}officer|chief (?:architect|scientist|economist|executive|of staff)|(?:vice |co-)?president|[es]?vp|chair(?:man|woman|person)?|(?:general|chief|corporate|deputy) counsel|director|managing partner|associate partner|head of|general manager|treasurer|dean|board of directors|leadership (?:team|changes?|updates?|promotions?|appointments?|transitions?|succession|role)|executive (?:team|appointments?|leadership)|management team|board (?:member|of)|key appointments)\b/iu,
  notObject:
    /\b(?:advisory (?:board|council|committee)|advis[eo]r|council|hall of fame|ambassador|mentor|committee|commission|resident|to watch|list|editor-in-chief|reappoint\w*|speaker|election results|non-profit|foundation|campaign|line|collection|product|drink|flavou?rs?)\b/i,
  not: /\b(?:name change|attorneys?|lawyers?|grants?|scholarships?|election of directors)\b/i,
};

const FUNDING: KindRule = {
  kind: 'funding_round',
  act: /\b(?:rais(?:es|ed)|secur(?:es|ed)|clos(?:es|ed|ing)|lands|complet(?:es|ed|ion)|increases total funding|nets|bags|announces (?:an? )?(?:[$€£]|series|seed))/i,
  object:
    /\b(?:series [a-h]|(?:pre-)?seed|funding|financing|private placement|capital raise|growth (?:capital|equity|investment)|strategic investment|venture (?:capital|round)|equity (?:investment|round|financing)|raised?|round|investment|led by|public offering|raises|closes on)\b/i,
  notObject:
    /\b(?:funds?|grants?|loans?|credit|debt|notes|bonds?|refinanc\w*|mortgage|warehouse|facility|donat\w*|charit\w*|foundation|scholarships?|awareness|guidance|outlook|forecasts?|dividend|prices?|target|pre-?sale|token|clubs?|rates?|terminat\w*|property|real estate|construction|tax credit|concerns?|questions?|relief|gala)\b/i,
  not: /\b(?:intends|proposed|presale|tokens?|crypto\w*|blockchain|bitcoin treasury|philanthrop\w*|charity|classic|golf|walk|ride|5k|meals)\b/i,
};

const FACILITY: KindRule = {
  kind: 'facility_expansion',
  act: /\b(?:(?:opens|opened|opening of|inaugurates|(?:breaks?|broke|breaking) ground on|cuts? (?:the )?ribbon on|begins construction (?:of|on)|starts construction (?:of|on)|completes (?:construction|expansion) of)(?: [^\s:;]+){0,8}? (?:plants?|factory|factories|facility|facilities|headquarters|hq|offices?|locations?|stores?|branch(?:es)?|clinics?|hospital|restaurants?|showroom|warehouse|campus|laborator(?:y|ies)|labs?|data cent(?:er|re)s?|(?:distribution|fulfil?lment|training|innovation|research|manufacturing|technology|service|experience|education|logistics|development|business|wellness|medical|engineering|design|delivery) cent(?:er|re)s?|shops?|studios?|mill|refinery|terminal|production line)|(?:(?:announces|unveils|launch(?:es)?|expands|establishes|secures|adds)|debuts)(?: [^\s:;]+){0,4}? (?:new|first|second|third|fourth|fifth|two|three|four|permanent|another|additional|expanded|larger|state[- ]of[- ]the[- ]art|flagship)(?: [^\s:;]+){0,6}? (?:plants?|factory|factories|facility|facilities|headquarters|hq|offices?|locations?|stores?|branch(?:es)?|clinics?|hospital|restaurants?|showroom|warehouse|campus|laborator(?:y|ies)|labs?|data cent(?:er|re)s?|(?:distribution|fulfil?lment|training|innovation|research|manufacturing|technology|service|experience|education|logistics|development|business|wellness|medical|engineering|design|delivery) cent(?:er|re)s?|shops?|studios?|mill|refinery|terminal|production line)|(?:breaks|broke) ground on\b|relocates\b|grand opening\b|^new(?: [^\s:;]+){0,4}? (?:plants?|factory|factories|facility|facilities|headquarters|hq|offices?|locations?|stores?|branch(?:es)?|clinics?|hospital|restaurants?|showroom|warehouse|campus|laborator(?:y|ies)|labs?|data cent(?:er|re)s?|(?:distribution|fulfil?lment|training|innovation|research|manufacturing|technology|service|experience|education|logistics|development|business|wellness|medical|engineering|design|delivery) cent(?:er|re)s?|shops?|studios?|mill|refinery|terminal|production line) in|official start of (?:civil )?construction)\b/i,
  object: /\p{L}/u,
  notObject:
    /\b(?:credit|loan|revolving|letters?|financing|antitrust|practice|tenants?|summit|museum|art|mural|festival|listing|help cent(?:er|re)|resource cent(?:er|re)|app store|ai studio|film studio|set for|online|e-?store|web|virtual|survey|box office|grants?|scholarships?|for sale|applications|registration|enrol?lment|season|season's|investigations?|bids?|bidding)\b/i,
  not: /\b(?:sells|sale of|closes|closure|acqui\w*|tournament|fair)\b/i,
};

const PARTNERSHIP: KindRule = {
  kind: 'partnership',
  act: /\b(?:partner(?:s|ed) (?:with|to)\b|(?:and|&) (?:[^\s:;,]+ ){1,6}partner(?: with)?\b|teams? up|joins? forces|collaborat(?:es?|ed|ing) (?:with|on|to|in)|announces? (?:an? |its |new |the |multi-year |global |exclusive |landmark |strategic |long-term )*(?:partnership|collaboration|alliance|joint venture|relationship)|(?:strategic|exclusive|multi-year) (?:partnership|alliance|collaboration|relationship)\b|forms? (?:an? |new |strategic )*(?:partnership|alliance|joint venture)|joint venture|(?:extends?|expands?) (?:[^\s:;]+ ){0,5}(?:partnership|collaboration|alliance)\b|signs? (?:[^\s:;]+ ){0,6}(?:(?:partnership|collaboration|cooperation|framework|distribution|supply|licensing|strategic|teaming|offtake|development) agreement|mou|memorandum)|enters? (?:[^\s:;]+ ){1,6}(?:partnership|collaboration|distribution agreement|supply agreement|joint venture)|partnership (?:with|between)|alliance between|(?:distribution|supply|license & distribution|licensing and distribution) agreement with|founding partner of|[^\s:;]+ partnership$)/iu,
  object: /\p{L}/u,
  notObject:
    /\b(?:ambassadors?|merg\w+|acqui\w+|lease|credit|loan|purchase agreement|asset purchase|definitive agreement|employment|settlement|nda|voting|confidentiality|benefit concert|concert|band|wrestl\w+|athletes?|grammy\w*|legend\w*|influencers?|coaches|investor relations|term sheet|ceo|stars?|celebrity|great)\b/i,
  not: /\b(?:in process of|equity partners|capital partners invests|just got|third[- ]party|trusted partner|your partner|benefits of|statement from|share-for-land|franchise deal)\b/i,
};

const PRODUCT: KindRule = {
  kind: 'product_launch',
  act: /\b(?:launch(?:es|ed|ing)|introduc(?:es|ed|ing)|unveil(?:s|ed|ing)|debuts|rolls out|announc(?:es|ing) (?:the )?(?:commercial |official |general |worldwide |global |us |u\.s\. |national )*(?:launch|release|availability|debut) of|and (?:[^\s:;,]+ ){1,6}(?:launch|introduce|unveil|debut))\b/i,
  object: /\p{L}{2}/u,
  notObject:
    /^\s*(?:an? |its |the |new )*[$€£]\d|\b(?:campaigns?|initiatives?|funds?|foundation|tour|events?|contests?|reports?|stud(?:y|ies)|surveys?|index|indices|strateg(?:y|ies)|plan|websites?|web site|scholarships?|grants?|podcast|subsidiary|division|tokens?|coin|offering|etfs?|ipo|books?|novel|memoir|lists?|awards?|video|search|exhibitions?|murals?|sweepstakes|auctions?|sales?|promotions?|discounts?|review|trials?|phase|investigation|buyback|artwork|statements?|results|members program|rewards?|affiliate|commission|playbook|lab|drive|logo|rebrand\w*|identity|single|album|film|movie|documentary|series|season|trading|staking|competition|challenge|hackathon|winners?|finalists?|qualifiers?|rankings?|insights|white ?paper|benchmark|forecast|research|findings|transformations|giveaway|fundraiser|fundraising|petition|lawsuit|career|job|internship|recruit\w*|workforce|apprentic\w*|practice|office|headquarters|expansion|new era|vision|roadmap|restructuring|benefit|center|centre|facility|store|location|alliance|partnership|council|advisory|board|committee|standards?|code of conduct|pledge|project|pilot|investor|special|deals?|day|menu boards?|development|first look|details|institute|phone number|revolution|show|adventure|partner program|training to|infrastructure|discovery|resource|tonnes|brand refresh|trends|updates|guidance|guide|leaderboard|autobiography|firm|league|team|branch|capital|force|checklist|handbook|delays?|price (?:increases?|changes?|cuts?)|e-?book|article|statistics|data|poll)\b/i,
  not: /\b(?:campaign|subsidiary|spin-?off|tokens?|presale|pre-sale|ido|airdrops?|meme coin|\w*coin|etfs?|ipo|sweepstakes|scholarships?|nonprofit|class action|chairman|opportunities)\b/i,
};

/** In the order in which they are asked: what is rarer in the words of another comes first. */
export const KIND_RULES: readonly KindRule[] = [LEADERSHIP, FUNDING, FACILITY, PARTNERSHIP, PRODUCT];
