import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SampleCompany } from './companies.ts';

export interface SampleText {
  readonly fact: string;
  readonly why: string;
  readonly excerpt: string;
}

/** Part of every observation, so that readers do not mistake the sample for real companies. */
const SAMPLE_NOTICE = 'This is generated sample data about a fictional company.';

export function sampleText(kind: SampleKind, company: SampleCompany): SampleText {
  const { fact, why, excerpt } = WRITERS[kind](company);
  return { fact: polish(fact), why: `${polish(why)} ${SAMPLE_NOTICE}`, excerpt: polish(excerpt) };
}

export type SampleKind = (typeof Kind)[Exclude<keyof typeof Kind, 'UNSPECIFIED'>];

const WRITERS: Record<SampleKind, (company: SampleCompany) => SampleText> = {
  [Kind.COMPANY_PROFILE]: ({ name, industry, place, random }) => {
    const does = random.pick(industry.does);
    const [site, staff] = [random.pick(industry.sites), random.pick(['about 20', 'about 60', 'some 150', 'over 400'])];
    return {
      fact: `${name} of ${at(place)} works in ${industry.name} and ${does}.`,
      why: `structural fit alone: it says what the company does, not that it wants to buy anything now.`,
      excerpt: random.pick([
        `${name} ${does}. From its ${site} in ${place.city} it serves customers across ${place.region}.`,
        `Founded in ${place.city}, ${name} works in ${industry.name}. The company ${does} and employs ${staff} people.`,
        `We are a company in ${industry.name} based in ${at(place)}. ${name} ${does}.`,
      ]),
    };
  },
  [Kind.PROCUREMENT_REQUEST]: ({ name, industry, place, random }) => {
    const wanted = random.pick(industry.buys);
    const term = random.pick(['a one-year term', 'a three-year term with two option years', 'a single delivery']);
    return {
      fact: `${name} requests bids for ${wanted} in ${at(place)}.`,
      why: `the company asks for offers of ${wanted} and has named a closing date.`,
      excerpt: random.pick([
        `Request for proposals: ${wanted}. ${name} invites offers for its ${random.pick(industry.sites)} in ${place.city}, ${place.region}, on ${term}. Bidders attend a site visit.`,
        `Tender notice. The buyer, ${name}, seeks ${wanted} for ${term}. Evaluation is by price and by experience with ${industry.name}.`,
        `${name} is looking for suppliers of ${wanted}. Place of delivery: ${at(place)}. Offers are accepted through the tender portal alone.`,
      ]),
    };
  },
  [Kind.FACILITY_EXPANSION]: ({ name, industry, place, random }) => {
    const [site, area] = [random.pick(industry.sites), `${random.whole(2, 40) * 5},000 square feet`];
    const work = random.pick([
      'is building a new',
      'is expanding its',
      'has opened a second',
      'broke ground on another',
    ]);
    return {
      fact: `${name} ${work} ${site} in ${at(place)}.`,
      why: `a larger ${site} needs equipment, contractors and staff.`,
      excerpt: random.pick([
        `${name} ${work} ${site} in ${place.city}. The project adds ${area} and ${random.whole(8, 160)} jobs over two years.`,
        `City council gave ${name} the permit for ${one(site)} of ${area}. Work in ${place.city} starts this season.`,
        `"Demand has outgrown our present building," said the company. ${name} ${work} ${site} of ${area} in ${at(place)}.`,
      ]),
    };
  },
  [Kind.FUNDING_ROUND]: ({ name, industry, place, random }) => {
    const amount = `$${random.whole(2, 90)} million`;
    const round = random.pick([
      'a seed round',
      'a Series A round',
      'a Series B round',
      'growth debt',
      'a government grant',
    ]);
    return {
      fact: `${name} raised ${amount} in ${round}.`,
      why: `fresh money of ${amount} is usually spent on people, equipment and new markets.`,
      excerpt: random.pick([
        `${name}, a company in ${industry.name} from ${at(place)}, announced ${round} of ${amount}. The money goes into ${random.pick(industry.products)}.`,
        `${name} closed ${round} worth ${amount}. It plans to add ${one(random.pick(industry.sites))} and to hire for sales and engineering.`,
      ]),
    };
  },
  [Kind.LEADERSHIP_CHANGE]: ({ name, industry, place, random }) => {
    const post = random.pick([
      'chief executive',
      'chief financial officer',
      'chief operating officer',
      'head of procurement',
      'chief technology officer',
      'plant director',
    ]);
    return {
      fact: `${name} appointed a new ${post}.`,
      why: `a new ${post} often reviews suppliers and tools in the first months.`,
      excerpt: random.pick([
        `${name} announced a new ${post}, who joins from another company in ${industry.name} and will work in ${place.city}.`,
        `The board of ${name} named its next ${post}. The predecessor retires after a handover in ${at(place)}.`,
      ]),
    };
  },
  [Kind.PRODUCT_LAUNCH]: ({ name, industry, place, random }) => {
    const product = random.pick(industry.products);
    return {
      fact: `${name} launched ${product}.`,
      why: `a launch brings spending on marketing, distribution and support.`,
      excerpt: random.pick([
        `${name} today introduced ${product}. It is available first in ${place.region} and then across ${place.country === 'CA' ? 'Canada' : 'the United States'}.`,
        `After a pilot with ${random.whole(3, 30)} customers in ${place.city}, ${name} brings ${product} to market.`,
      ]),
    };
  },
  [Kind.PARTNERSHIP]: ({ name, industry, place, random }) => {
    const subject = random.pick(industry.alliances);
    const other = random.pick([
      'a public research institute',
      'a regional utility',
      'a family-owned supplier',
      'a national retailer',
      'a First Nation development corporation',
      'a state university',
    ]);
    return {
      fact: `${name} entered a partnership on ${subject}.`,
      why: `work on ${subject} opens budgets beside the ordinary business.`,
      excerpt: random.pick([
        `${name} and ${other} signed an agreement on ${subject}. The first project starts in ${at(place)}.`,
        `Under the agreement, ${name} contributes its experience in ${industry.name} and ${other} provides a site in ${place.city}. The subject is ${subject}.`,
      ]),
    };
  },
  [Kind.TECHNOLOGY_USE]: ({ name, industry, place, random }) => {
    const tool = random.pick(industry.tools);
    return {
      fact: `${name} uses ${tool}.`,
      why: `a company that works with ${tool} may need services, training and extensions around it.`,
      excerpt: random.pick([
        `Our team in ${place.city} works with ${tool} every day, and we are rolling it out at each ${random.pick(industry.sites)}.`,
        `Case study: how ${name} introduced ${tool} in ${industry.name} within ${random.whole(2, 9)} months.`,
      ]),
    };
  },
  [Kind.JOB_POSTING]: ({ name, industry, place, random }) => {
    const role = random.pick(industry.roles);
    return {
      fact: `${name} is hiring ${one(role)} in ${at(place)}.`,
      why: `an open position for ${one(role)} shows where the company is growing or short of hands.`,
      excerpt: random.pick([
        `Position: ${role}. Place of work: ${at(place)}. You join our ${random.pick(industry.sites)}; experience with ${random.pick(industry.tools)} is an asset.`,
        `${name} is hiring! As ${one(role)} you help a company in ${industry.name} that ${random.pick(industry.does)}. Full time, ${place.city}.`,
      ]),
    };
  },
};

function at(place: SampleCompany['place']): string {
  return `${place.city}, ${place.region}`;
}

function one(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Capitalizes the first letter, and removes the second of two full stops after "Ltd.". */
function polish(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('..', '.');
}
