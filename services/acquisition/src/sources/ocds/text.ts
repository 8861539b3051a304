import { type Members, readMembers } from '../../extract/members.ts';
import { tenderText } from '../../tender/text.ts';
import { findBuyer } from './buyer.ts';
import { spoken } from './spoken.ts';

/** Title, buyer and closing of the tender, its description, then what it asks for and how. */
export function extractRelease(content: string): string {
  const release = readMembers(content);
  const procuring = spoken(release, 'tender.procuringEntity.name');
  const wanted = itemsOf(release).flatMap((item) => [
    spoken(item, 'description'),
    spoken(item, 'classification.description'),
  ]);
  return tenderText({
    title: titleOf(release),
    buyer: [...new Set([findBuyer(release), procuring].filter((name) => name !== undefined))],
    closing: release.text('tender.tenderPeriod.endDate'),
    description: spoken(release, 'tender.description'),
    facts: {
      Items: [...new Set(wanted.filter((name) => name !== undefined))].join('; '),
      Method: spoken(release, 'tender.methodRationale') ?? release.text('tender.procurementMethod'),
      Published: release.text('date'),
    },
  });
}

/** The tender's title, or what its first item is called by publishers that give no title. */
export function titleOf(release: Members): string | undefined {
  const [item] = itemsOf(release).flatMap((one) => spoken(one, 'description') ?? []);
  return spoken(release, 'tender.title') ?? item;
}

export function itemsOf(release: Members): Members[] {
  return release.list('tender.items');
}
