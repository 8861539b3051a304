import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element in pixels, followed as it changes; 0 before it is first drawn. */
export function useWidth<Measured extends Element>(): [RefObject<Measured | null>, number] {
  const element = useRef<Measured>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    // Measured before it is painted, so that what stands below does not move.
    setWidth(Math.floor(element.current.getBoundingClientRect().width));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
