import type { KindName } from '@ces/proto/catalog';
import { sentencesOf } from '../../edgar/sentences.ts';
import { ownNames } from './owner-name.ts';

/** Sentences from the beginning of a release in which its fact must stand. */
const MOST_SENTENCES = 14;
/** A sentence is read this far, in UTF-16 units. */
const MOST_CHARACTERS = 1_200;
const OWN = /\b(?:we|our|the company|the firm|the bank|its)\b/i;

const PRODUCT =
  /\b(?:products?|platforms?|apps?|applications?|software|services?|solutions?|tools?|toolkit|systems?|devices?|suites?|features?|assistants?|agents?|chatbots?|engines?|modules?|sensors?|chips?|processors?|cameras?|batter(?:y|ies)|vehicles?|trucks?|cars?|bikes?|robots?|drones?|lines?|collections?|range|models?|editions?|versions?|drinks?|beverages?|snacks?|flavou?rs?|treats?|wines?|beers?|supplements?|vaccines?|therap(?:y|ies)|treatments?|drugs?|tablets?|tests?|kits?|programs?|plans?|policy|insurance|coverage|cards?|accounts?|subscriptions?|marketplaces?|portals?|apis?|sdk|cloud|technology|technologies|dashboards?|wallets?|brands?|apparel|furniture|games?|equipment|machines?|materials?|formula|ingredients?|capabilit(?:y|ies)|experience|destination|resource|hub|broadband|internet|network|offering|menu|hardware|appliance|instrument|course|certification|fee|membership)\b/i;

const SUPPORT: Readonly<Partial<Record<KindName, readonly RegExp[]>>> = {
  leadership_change: [
    /\b(?:appoint\w*|named|names|naming|promot\w+|elect(?:ed|s|ion)|elevat\w+|join(?:s|ed|ing)?|hir(?:es|ed|ing)|welcom\w+|add(?:s|ed|ition)|succeed\w*|retir\w+|resign\w*|step(?:s|ped|ping)? down|depart\w*|will (?:serve|become|lead|oversee)|transition\w*|taps|tapped|assum\w+|role)\b/i,
    /\b(?:officers?|c[efotmrpsdi]os?|president|[es]?vp|chair(?:man|woman|person)?|counsel|directors?|partner|head|manager|treasurer|dean|board|leadership|executives?|management|team|leads?|leader)\b/i,
  ],
  funding_round: [
    /\b(?:rais\w+|secur\w+|clos\w+|complet\w+|funding|financing|round|invest\w+|seed|series [a-h]|led by|placement)\b/i,
    /[$€£]\s?\d|(?<![\d.,])\d[\d.,]{0,15}\s?(?:million|billion|m|k)\b|\bseries [a-h]\b/i,
  ],
  facility_expansion: [
    /\b(?:open\w*|expan\w+|ground|construct\w+|buil[dt]\w*|relocat\w+|new|inaugurat\w+|establish\w*|locat\w+|moved?|lease\w*|debut\w*)\b/i,
    /\b(?:(?:plants?|factory|factories|facility|facilities|headquarters|hq|offices?|locations?|stores?|branch(?:es)?|clinics?|hospital|restaurants?|showroom|warehouse|campus|laborator(?:y|ies)|labs?|data cent(?:er|re)s?|(?:distribution|fulfil?lment|training|innovation|research|manufacturing|technology|service|experience|education|logistics|development|business|wellness|medical|engineering|design|delivery) cent(?:er|re)s?|shops?|studios?|mill|refinery|terminal|production line)|sites?|spaces?|communit(?:y|ies)|project|square[- ]f(?:oo|ee)t|sq\. ?ft)\b/i,
  ],
  partnership: [
    /\b(?:partner\w*|collaborat\w+|alliance|joint venture|team(?:s|ed|ing)? up|join(?:s|ed|ing)? (?:forces|together)|agreement|memorandum|mou|integrat\w+|together with|relationship|work(?:s|ing)? with)\b/i,
  ],
  product_launch: [
    /\b(?:launch\w*|introduc\w+|unveil\w*|releas\w+|debut\w*|roll(?:s|ed|ing)? out|rollout|availab\w+|announc\w+|new|present\w*|offer(?:s|ing|ings)?)\b/i,
    PRODUCT,
  ],
};

/** The first sentence of the text that tells the fact of a headline, by the company whose newsroom it is; undefined: none does. */
export function findSupport(
  kind: KindName,
  sentences: readonly string[],
  owner: string | undefined,
): string | undefined {
  const tells = SUPPORT[kind] ?? [];
  const names = owner === undefined ? [] : ownNames(owner);
  const told = sentences
    .filter((sentence) => !/^["“]/.test(sentence))
    .filter((sentence) => tells.every((pattern) => pattern.test(sentence.slice(0, MOST_CHARACTERS))));
  if (owner === undefined) return told[0];
  return (
    told.find((sentence) => names.some((name) => sentence.toLowerCase().includes(name))) ??
    told.find((one) => OWN.test(one))
  );
}

/** The sentences that may support a headline, from the beginning of a text. */
export function leadOf(text: string): string[] {
  return sentencesOf(text).slice(0, MOST_SENTENCES);
}
