const ENUMERATION = /^(?:[*•\-–_#\s]|\(?(?:[ivx]{1,4}|\d{1,2}|[a-z])[.)]\s){1,8}/i;

/** Form fields, and sentences about the notice, the law or how to answer. */
const BOILERPLATE: readonly RegExp[] = [
  /^(?:trade agreements?|accords? commercia(?:l|ux)|entente sur le commerce|tendering procedures?|processus de demande|(?:non-)?competitive procurement strategy|stratégie d['’]approvisionnement|comprehensive land claims? agreements?|entente sur les revendications|nature of requirements?|nature des besoins|attachments?|pièces? jointes?|delivery date|date de livraison|(?:solicitation|reference|file|rfp|rfq|gets|notice|requisition|project|contract|no de la demande|numéro)\s?(?:number|no|nos|reference|id|type|#)|department|buyer|ministère|organi[sz]ation(?: name)?|nom de l['’]organisation|accord commercial|solicitation date|anticipated start date|estimated (?:delivery date|level of effort)|gsin|unspsc|tendering procedure|contracting (?:office|authority)(?: address)?|issuing (?:office|organization)|classification code|naics(?: code)?|set[ -]aside(?: type)?|type of set-aside|document type|notice type|posted date|(?:original |current )?(?:response|archive|closing|posted|published) date|response (?:date|due)|closing (?:date|time)|bid closing|due date|period of performance|general information|security(?: requirements?)?|language|region of (?:delivery|opportunity)|procurement (?:entity|category|method)|procuring entity|entité|end user|selection criteria|psc(?: code)?|fsc|place of performance|delivery destination area|zone de destination)s?\s?(?:\([^)]{0,40}\))?\s?[:=#](?!\S{0,3}\/\/).{0,160}$/iu,
  /^(?:(?:this is an? )?combined synopsis\s?\/?\s?solicitation|request for (?:proposals?|quotations?|quotes?|information|standing offers?|supply arrangements?|expressions? of interest)|pre-?solicitation(?: notice)?|sources sought(?: notice)?|notice of (?:proposed|intent|planned)[^.]{0,40}|demande de propositions?|avis de (?:projet|marché)[^.]{0,30}|invitation to tender|appel d['’]offres|rf[pqi]|npp|amendment|modification|synopsis|solicitation notice|general information|introduction|background|description|notice|avis|nota bene|important)(?:[\s:–-]{0,3}(?:for commercial (?:items|products|services))?[^\p{Ll}.]{0,60})?[.:!]?$/iu,
  /^(?:notice|attention|note|nota|avis|important)\b(?: to\b| aux\b| :|:|!)[^.]{0,100}[.!]?$/i,
  /^(?:this|the following) (?:is|notice is|announcement is|document is|solicitation is|constitutes) (?:hereby )?(?:an? |the )?(?:posting of an? )?(?:amended )?(?:combined (?:synopsis|solicitation)|solicitation|(?:pre-?solicitation|synopsis|special|public) ?notice|synopsis|combo)[^.]{0,60}for commercial\b/i,
  /^this (?:announcement|notice|synopsis|solicitation|document|posting)?\s?(?:constitutes|is|serves as) the only\b/i,
  /^(?:this|the)(?: [\w-]{1,20}){0,3} (?:is|are|does|shall|should)(?: hereby)? not (?:be )?(?:an?|constitute|considered|construed|a formal|to be)\b[^;]{0,160}$/i,
  /^(?:this is )?not an? (?:solicitation|request)\b.{0,120}$/i,
  /^(?:no|a) (?:formal |written )?solicitation (?:document )?(?:is|will|exists|shall)\b/i,
  /^this is (?:published|posted|issued) (?:as|under|in)\b/i,
  /^(?:this|the) (?:rfq|rfp|ifb|solicitation|notice|requirement|acquisition|procurement|combined synopsis\/solicitation)(?: number)?,?(?: \S{1,40})? (?:is|was|will be|has been) (?:being )?(?:issued|posted|published|prepared|released|conducted|processed|advertised)\b(?!.{0,200}(?:(?<!request )\bfor\b|\bto (?:procure|purchase|acquire|provide)\b))/i,
  /^(?:the |this )?(?:solicitation|reference) (?:number|document|documents|and|pricing|package|incorporates?)\b/i,
  /^(?:all )?(?:clauses|provisions)\b/i,
  /^this solicitation (?:document|incorporates|and)\b/i,
  /^(?:the )?(?:associated )?(?:applicable |assigned )?(?:north american|naics)\b/i,
  /^(?:the )?(?:small business )?size standard\b/i,
  /^(?:this|the) (?:requirement|acquisition|procurement|solicitation|action|award|project|rfq|rfp|contract)(?: \S{1,40})? (?:is|will be|shall be|has been)(?: being)? (?:(?:an?|the|set|issued as|a total|totally|designated|solicited|open|restricted|limited|only|under|unrestricted|subject|full and open|competed|made)\b|100)[^.]{0,80}(?:set[- ]?aside|small businesses?|unrestricted|competition|8\(a\)|hub ?zone|sdvosb|wosb|open (?:only )?to|restricted to|limited to|subject to)[^;]{0,160}$/i,
  /^(?:set[- ]aside|100 ?%|total small business|full and open)\b[^.]{0,80}(?:small business|set[- ]aside|competition)[^.]{0,40}\.?$/i,
  /^(?:the following (?:sa|supply arrangement|solicitation) |(?:pursuant to|in accordance with|iaw) (?:far|dfars|the authority)\b[^,]{0,80}\.?$)/i,
  /^(?:this|the|ce|cette) (?:notice|document|requirement|procurement|solicitation|besoin|marché)(?: is)? (?:contains?|is subject|are subject|subject|est assujetti\p{L}?|comporte)\b/iu,
  /^(?:the )?(?:word|term)s? .{1,40} (?:refers?|means?)\b/i,
  /^(?:the )?(?:request for (?:quotations?|quotes?|proposals?)|rfq|rfp|ifb|source selection procedures?|notice|announcement)(?: \([^)]{1,10}\))?(?: number)? (?:is|are|shall be|will be)\b(?!.{0,200}(?:(?<!request )\bfor\b|\bto (?:procure|purchase|acquire|provide)\b))/i,
  /^this (?:combined )?(?:synopsis|synopsis\/solicitation|notice|solicitation) (?:constitutes|shall be|will be|is being) (?:an? rf[qp]|posted|issued|published|the only|conducted)\b(?!.{0,200}(?:(?<!request )\bfor\b|\bto (?:procure|purchase|acquire|provide)\b))/i,
  /^this is an? (?:pre-?solicitation|sources sought|combined)(?: synopsis)?(?: ?\/ ?solicitation)? ?(?:notice|announcement)?(?: only)?\.?$/i,
  /^there is no (?:cost|solicitation|charge|fee)\b/i,
  /^(?:(?:for this announcement|only),? )?(?:only )?local sources\b/i,
  /^solicitation\s?\/?\s?(?:purchase request )?(?:number|no)\b/i,
  /^this document incorporates\b/i,
  /^an? (?:single|multiple)[ -]award\b/i,
  /^the awardee must\b/i,
  /^solicitation \S{5,30} is issued\b(?!.{0,200}(?:(?<!request )\bfor\b|\bto (?:procure|purchase|acquire|provide)\b))/i,
  /^(?:the|this) (?:proposed )?procurement is (?:unrestricted|being advertised)\b/i,
  /^the (?:magnitude|completion period|estimated (?:magnitude|cost))\b/i,
  /^please read\b/i,
  /^this solicitation is not ready\b/i,
  /\bwill (?:launch|post|release) the solicitation\b(?! for)/i,
  /^(?:(?:this|the purpose of (?:this|the)) )?(?:amendment|modification|addendum|amd|mod|amendement)\b[^.]{0,30}(?:no\b|number|#|\d|is|are|was|raised|issued|posted|to|est|vise)/i,
  /^(?:the )?(?:purpose|intent) of (?:this|the) (?:amendment|modification|addendum|change)\b/i,
  /\b(?:cancels and (?:supersedes|replaces)|annule et remplace)\b/i,
  /^(?:suppliers|offerors|bidders|fournisseurs|les fournisseurs) (?:that|who|which|qui) (?:already |have )?(?:provided|submitted|hold|responded|qualified|ont)\b/i,
  /^there (?:are|is|have been) no (?:other )?changes?\b/i,
  /\b(?:is|are|has been|being) (?:being )?(?:re-?)?(?:posted|issued|published|extended|amended) (?:in order )?to (?:extend|amend|correct|replace|update|change|clarify|answer)\b/i,
  /^(?:the )?closing date\b/i,
  /^(?:all |any |only )?(?:bids?|offers?|quotes?|quotations?|proposals?|responses?|submissions?|tenders?|bidders?|offerors?|quoters?|respondents?|proponents?|(?:interested|responsible|prospective|potential|qualified|eligible) (?:parties|party|vendors?|suppliers?|persons?|firms?|sources?|offerors?|bidders?|contractors?|companies|businesses|sellers)|responsible sources|sellers|responses to)\b(?: \S{1,20}){0,3}? (?:must|shall|should|may|are|is|will|can|wishing|who|that|interested)\b/i,
  /^(?:hard|paper|printed) copies\b/i,
  /^no (?:hard|paper|telephone|phone|faxed|oral|other)\b/i,
  /^(?:bidding and documents|documents? (?:is|are|may be)|the (?:solicitation|documents?|specifications?|rfp|rfq)) (?:are |is |will be |may be |can be )?(?:only )?(?:available|posted|issued|released|obtained|downloaded|accessed|found)\b/i,
  /^(?:fees may apply|des frais peuvent)\b/i,
  /^(?:vous pouvez (?:soumettre|présenter)|les (?:soumissionnaires|fournisseurs|soumissions|offres|propositions) (?:doivent|devront|peuvent|intéressés))\b/i,
  /^(?:please )?(?:see|refer to|review|read|download|find|note)\b[^.]{0,40}(?:attach|solicitation|document|statement|specification|link|sf ?\d|amendment|file)[^.]{0,80}\.?$/i,
  /^(?:voir|veuillez (?:consulter|vous référer|noter))\b/i,
  /^(?:solicitation|specifications?|details|documents?|the (?:rfp|rfq|statement of work))\b[^.]{0,40}(?:attached|attachments?)\.?$/i,
  /^(?:questions?|inquiries|enquiries|all questions|any questions|demandes de renseignements)\b/i,
  /^(?:for (?:further|more|additional) information|pour (?:de plus amples|plus de|obtenir))\b/i,
  /^(?:this|the) (?:buy|reverse auction|auction|opportunity)\b[^.]{0,60}(?:fedbid|marketplace)/i,
  /^(?:fedbid|to bid|sellers|you must|bidders?|an? offeror)\b/i,
  /^(?:this|the) (?:requirement|acquisition|procurement|solicitation) is (?:unrestricted|a small business|100)/i,
  /^[\w .,&-]{2,60} is taking this action\b/i,
  /^(?:all|any) (?:responsible |interested |qualified )?(?:vendors?|suppliers?|contractors?|offers?|bids?|quotes?|questions?) (?:must|shall|should|may|will|are)\b/i,
  /^(?:the crown retains|documents may be submitted|les documents peuvent)\b/i,
  /^(?:it is the (?:responsibility|offeror)|the government (?:is not|will not|reserves|does not))\b/i,
];

const LABELS =
  /\b(?:document type|solicitation number|(?:posted|response|archive|closing) date|classification code|set[ -]aside|naics code|contracting office address)\s?:/gi;
const MANY_LABELS = 3;

/** A sentence that names a thing describes the requirement, whatever else it says. */
const NAMES_A_THING = /\b(?:NSN|P\/N|part numbers?|nomenclature)\b/i;
const MOST_ABOUT_A_THING = 300;

export function isBoilerplate(unit: string): boolean {
  const text = unit.replace(ENUMERATION, '').trim();
  if (text === '' || (text.match(LABELS)?.length ?? 0) >= MANY_LABELS) return true;
  if (text.length <= MOST_ABOUT_A_THING && NAMES_A_THING.test(text)) return false;
  return BOILERPLATE.some((pattern) => pattern.test(text));
}
