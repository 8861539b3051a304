import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

const Moved = createContext<RefObject<boolean> | undefined>(undefined);

/** Knows whether the person has moved since the page was loaded. */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const first = useRef(location);
  const moved = useRef(false);
  if (location !== first.current) moved.current = true;
  return <Moved value={moved}>{children}</Moved>;
}

/** For a screen's heading: takes the focus when the person came from another screen, not when the page is loaded. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useContext(Moved);
  useEffect(() => {
    if (!moved?.current) return;
    heading.current?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }, [moved]);
  return heading;
}
