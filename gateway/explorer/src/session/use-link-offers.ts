import { useEffect, useState } from 'react';
import { LinkOffers } from './hand-over.ts';

/** Presses of a link that may open a tab; a plain click does not. */
const PRESSES = ['mousedown', 'click', 'contextmenu', 'dragstart'] as const;

/** Notes links of the explorer that are pressed in a way that opens a tab. */
export function useLinkOffers(): LinkOffers {
  const [offers] = useState(() => new LinkOffers());
  useEffect(() => {
    const note = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || link.origin !== location.origin || !link.pathname.startsWith('/explore')) return;
      if (mayOpenTab(event)) offers.offer(link.pathname + link.search, Date.now());
    };
    for (const press of PRESSES) addEventListener(press, note, { capture: true });
    return () => {
      for (const press of PRESSES) removeEventListener(press, note, { capture: true });
    };
  }, [offers]);
  return offers;
}

function mayOpenTab({ type, button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return type === 'contextmenu' || type === 'dragstart' || button === 1 || ctrlKey || metaKey || shiftKey;
}
