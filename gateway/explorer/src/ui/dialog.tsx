import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The platform's modal: it keeps the focus and closes by Escape, without a style element that the content policy would refuse. */
export function Dialog({ title, open, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (open) element.current?.showModal();
    else element.current?.close();
  }, [open]);
  return (
    <dialog ref={element} className={styles.dialog} aria-labelledby={heading} onClose={onClose}>
      <header className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <Button kind="quiet" size="small" onClick={onClose}>
          Close
        </Button>
      </header>
      {open && children}
    </dialog>
  );
}
