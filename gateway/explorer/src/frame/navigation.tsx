import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';

type Arrival = 'load' | 'link' | 'history';

const ArrivalContext = createContext<RefObject<Arrival> | undefined>(undefined);

export function NavigationProvider({ children }: { children: ReactNode }) {
  const arrival = useRef<Arrival>('load');
  useEffect(() => {
    const byLink = () => {
      arrival.current = 'link';
    };
    const byHistory = () => {
      arrival.current = 'history';
    };
    // wouter dispatches this event for its history.pushState calls.
    addEventListener('pushState', byLink);
    addEventListener('popstate', byHistory);
    return () => {
      removeEventListener('pushState', byLink);
      removeEventListener('popstate', byHistory);
    };
  }, []);
  return <ArrivalContext value={arrival}>{children}</ArrivalContext>;
}

/** Focuses the heading of a screen after navigation. Back and forward keep the scroll position. */
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
