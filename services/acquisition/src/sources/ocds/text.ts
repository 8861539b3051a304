import { type Members, readMembers } from '../../extract/formats/members.ts';
import { knownDate } from '../../extract/values/dates.ts';
import { tenderText } from '../families/tender/text.ts';
import { findBuyer } from './buyer.ts';
import { localText } from './publisher.ts';

export function extractRelease(content: string): string {
  const release = readMembers(content);
  const procuring = localText(release, 'tender.procuringEntity.name');
  const wanted = itemsOf(release).flatMap((item) => [
    localText(item, 'description'),
    localText(item, 'classification.description'),
  ]);
  return tenderText({
    title: titleOf(release),
    buyer: [...new Set([findBuyer(release), procuring].filter((name) => name !== undefined))],
    closing: knownDate(release.text('tender.tenderPeriod.endDate')),
    description: localText(release, 'tender.description'),
    facts: {
      Items: [...new Set(wanted.filter((name) => name !== undefined))].join('; '),
      Method: localText(release, 'tender.methodRationale') ?? release.text('tender.procurementMethod'),
      Published: knownDate(release.text('date')),
    },
  });
}

/** Replaces a missing title by the description of the first item. */
export function titleOf(release: Members): string | undefined {
  const [item] = itemsOf(release).flatMap((one) => localText(one, 'description') ?? []);
  return localText(release, 'tender.title') ?? item;
}

export function itemsOf(release: Members): Members[] {
  return release.list('tender.items');
}
