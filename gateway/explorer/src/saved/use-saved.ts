import { useMemo, useSyncExternalStore } from 'react';
import { merge, noteAnswer, parseStored, type SavedSearch } from './saved-search.ts';

const STORED_AS = 'ces-saved-searches';
/** The storage event reaches only other tabs, so this tab sends one of its own. */
const CHANGED = 'ces-saved-searches';

export function useSaved(): readonly SavedSearch[] {
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(STORED_AS));
  return useMemo(() => parseStored(stored), [stored]);
}

export function addSaved(added: readonly SavedSearch[]): void {
  change((known) => merge(known, added));
}

export function renameSaved(search: string, name: string): void {
  change((known) => known.map((one) => (one.search === search ? { ...one, name } : one)));
}

export function removeSaved(search: string): void {
  change((known) => known.filter((one) => one.search !== search));
}

export function noteSavedAnswer(search: string, asOf: string): void {
  const known = read();
  const noted = noteAnswer(known, search, asOf);
  if (noted.some((one, at) => one !== known[at])) change(() => noted);
}

function read(): readonly SavedSearch[] {
  return parseStored(localStorage.getItem(STORED_AS));
}

function change(next: (known: readonly SavedSearch[]) => readonly SavedSearch[]): void {
  localStorage.setItem(STORED_AS, JSON.stringify(next(read())));
  dispatchEvent(new Event(CHANGED));
}

function subscribe(notify: () => void): () => void {
  addEventListener('storage', notify);
  addEventListener(CHANGED, notify);
  return () => {
    removeEventListener('storage', notify);
    removeEventListener(CHANGED, notify);
  };
}
