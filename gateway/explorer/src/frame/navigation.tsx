import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';

/** How the person came to the screen that is shown: by loading the page, by a link, or through the history. */
type Arrival = 'load' | 'link' | 'history';

const ArrivalContext = createContext<RefObject<Arrival> | undefined>(undefined);

/** Knows how the person came to the screen that is shown. */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const arrival = useRef<Arrival>('load');
  useEffect(() => {
    const byLink = () => {
      arrival.current = 'link';
    };
    const byHistory = () => {
      arrival.current = 'history';
    };
    // The router tells the window of what it pushes.
    addEventListener('pushState', byLink);
    addEventListener('popstate', byHistory);
    return () => {
      removeEventListener('pushState', byLink);
      removeEventListener('popstate', byHistory);
    };
  }, []);
  return <ArrivalContext value={arrival}>{children}</ArrivalContext>;
}

/** For a screen's heading: takes the focus after navigation; who goes back finds the place where they were. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrival = useContext(ArrivalContext);
  useEffect(() => {
    if (!arrival || arrival.current === 'load') return;
    heading.current?.focus({ preventScroll: true });
    if (arrival.current === 'link') scrollTo({ top: 0 });
  }, [arrival]);
  return heading;
}
