/** Market research asks for no bids. */
const SOUNDS_THE_MARKET = /sources sought|request for information|letter of interest|presolicitation|industry/i;

const STANDING =
  /supply arrangement|standing offer|source list|pre-?qualif|list of (?:qualified|suppliers|vendors|bidders)|qualified (?:suppliers?|vendors?|bidders?)(?:['’]s?)? list|arrangements? en matière d['’]approvisionnement|offres? à commandes|liste de fournisseurs|préqualifi/i;

const NO_SOLICITATION =
  /(?:\bis|\bare|\bdoes|\bdo|\bshall|\bwill)\s(?:hereby\s)?not\s(?:to\s)?(?:be\s)?(?:an?\s|constitute\s(?:an?\s)?|construed\sas\s(?:an?\s)?|considered\s(?:to\sbe\s)?(?:an?\s)?)?(?:formal\s)?(?:bid\ssolicitation|solicitation|call\sfor\s(?:bids|tenders)|invitation\sto\s(?:tender|bid)|request\sfor\s(?:bids|tenders|proposals?|quotations?))|(?:n['’]est\spas|ne\sconstitue\spas)\s(?:une?\s)?(?:demande\sde\s(?:soumissions?|propositions?)|appel\sd['’]offres|invitation\sà\ssoumissionner)/i;

/** Source lists, supply arrangements and standing offers that ask for no bids. */
export function isSourceList(noticeType: string | undefined, text: string): boolean {
  if (SOUNDS_THE_MARKET.test(noticeType ?? '')) return false;
  return STANDING.test(`${noticeType ?? ''}\n${text}`) && NO_SOLICITATION.test(text);
}
