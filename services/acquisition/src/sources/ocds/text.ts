import { htmlToText, tidyText } from '../../extract/html.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { findBuyer } from './buyer.ts';
import { spoken } from './spoken.ts';

/** Title and description of the tender, what it asks for, its buyer and its dates. */
export function extractRelease(content: string): string {
  const release = readMembers(content);
  const lines = [
    tidyText(titleOf(release) ?? ''),
    htmlToText(spoken(release, 'tender.description') ?? ''),
    ...itemsOf(release).map((item) => tidyText(spoken(item, 'description') ?? '')),
    ...itemsOf(release).map((item) => tidyText(spoken(item, 'classification.description') ?? '')),
    labelled('Buyer', findBuyer(release)),
    labelled('Procuring entity', spoken(release, 'tender.procuringEntity.name')),
    labelled('Method', spoken(release, 'tender.methodRationale')),
    labelled('Published', release.text('date')),
    labelled('Closing', release.text('tender.tenderPeriod.endDate')),
  ];
  return [...new Set(lines.filter((line) => line !== ''))].join('\n');
}

/** The tender's title, or what its first item is called by publishers that give no title. */
export function titleOf(release: Members): string | undefined {
  const [item] = itemsOf(release).flatMap((one) => spoken(one, 'description') ?? []);
  return spoken(release, 'tender.title') ?? item;
}

export function itemsOf(release: Members): Members[] {
  return release.list('tender.items');
}

function labelled(label: string, value: string | undefined): string {
  return value === undefined ? '' : `${label}: ${tidyText(value)}`;
}
