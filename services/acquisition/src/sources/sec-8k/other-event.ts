import type { CountryName } from '@ces/proto/catalog';
import { countryOfPlace } from '../../extract/places/read-place.ts';
import { sentencesOf } from '../families/edgar/sentences.ts';
import { findPartnership } from './agreement.ts';
import type { Finding } from './finding.ts';

const LAUNCH =
  /\b(?:launch(?:es|ed)|(?:commercial )?launch of|introduc(?:es|ed)|unveil(?:s|ed)|(?:general|commercial) availability of|commercially available)\b/i;
const PRODUCT =
  /\b(?:product|platform|service|solution|device|system|software|app|application|tool|model|vehicle|drug|therapy|treatment|tablet|chip|processor|sensor|brand|version)s?\b/i;
const NO_LAUNCH =
  /\b(?:chief|president|officer|director|chair\w*|offering|tender|exchange offer|notes|repurchase|buyback|consent solicitation|investigation|lawsuit|litigation|review|trial|study|will (?:be )?launch\w*|plans? to|expects? to|intends? to)\b/i;
/** Sentences that hold the news. Later ones mention launches that are no news. */
const LEAD = 3;
/** A line of a headline has no full stop. */
const WHOLE = /[.!?]["”’)]{0,2}$/;
/** A headline that ends in the name of a company has one. */
const NAME = /^(?:\S{1,40} ){0,6}\S{0,40}\b(?:Inc|Corp|Co|Ltd|LLC|L\.P|PLC)\.$/i;

const BUILD =
  /\b(?:open(?:s|ed|ing)?|expand(?:s|ed|ing)?|expansion of|construct(?:s|ed|ing|ion of)?|build(?:s|ing)?|built|broke ground|break(?:s|ing)? ground|establish(?:es|ed|ing)?|commenced? (?:operations|production|construction))\b/i;
const SITE =
  /\b(?:plant|factory|(?:manufacturing|production|research|processing|assembly|distribution|new) facilit(?:y|ies)|data cent(?:er|re)|warehouse|distribution cent(?:er|re)|fulfillment cent(?:er|re)|campus|refinery|laboratory|mill)\b/i;
const NO_SITE =
  /\b(?:credit|loan|revolving|letters? of credit|borrow\w*|financing|lenders?|debt|leaseback|clos(?:e|es|ed|ing|ure)|sale of|sold|fire|explosion|lawsuit)\b/i;
const PLACE = /\b(?:in|near|at)\s+((?:\p{Lu}[\p{L}.’'-]+(?:,?\s+|,)?){1,6})/gu;
const MONTH =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Q\d|Fiscal|Exhibit|Item)\b/;

export function findOtherEvent(text: string, exhibits: string): Finding {
  const parts = /\bexhibits?\s+99|press release/i.test(text) ? [text, exhibits] : [text];
  const report = parts.join('\n');
  const sentencesByPart = parts.map((part) => sentencesOf(part).filter((one) => !/^(?:item|exhibit)\b/i.test(one)));
  const sentences = sentencesByPart.flat();
  return (
    findSite(sentences) ??
    findPartnership(report) ??
    findLaunch(sentencesByPart.flatMap(leadOf)) ?? {
      type: 'refused',
      reason: 'is no launch, site or partnership by any rule',
    }
  );
}

function leadOf(sentences: readonly string[]): readonly string[] {
  const ends = sentences.flatMap((one, index) => (WHOLE.test(one) && !NAME.test(one) ? [index + 1] : []));
  return sentences.slice(0, ends[LEAD - 1] ?? sentences.length);
}

function findLaunch(sentences: readonly string[]): Finding | undefined {
  const sentence = sentences.find((one) => LAUNCH.test(one) && PRODUCT.test(one) && !NO_LAUNCH.test(one));
  return sentence === undefined
    ? undefined
    : { type: 'found', kind: 'product_launch', claim: 'reported a launch', sentences: [sentence] };
}

function findSite(sentences: readonly string[]): Finding | undefined {
  const sentence = sentences.find((one) => BUILD.test(one) && SITE.test(one) && !NO_SITE.test(one));
  if (sentence === undefined) return undefined;
  const country = countryOfSite(sentence);
  if (!country) return { type: 'refused', reason: 'names no site in Canada or the United States' };
  const claim = 'reported a new or larger site';
  return { type: 'found', kind: 'facility_expansion', claim, sentences: [sentence], country };
}

/** A place before the site belongs to something else. */
function countryOfSite(sentence: string): CountryName | undefined {
  const from = sentence.slice(sentence.search(SITE));
  const places = [...from.matchAll(PLACE)].map((match) => (match[1] ?? '').replace(/(?<![\s,.])[\s,.]+$/, ''));
  return countryOfPlace(places.find((place) => !MONTH.test(place)));
}
