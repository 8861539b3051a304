import { Link } from 'wouter';
import icon from '../../../assets/icon.svg';
import { useSessionContext } from '../session/session.tsx';
import { useUsageReport } from '../session/usage-report.ts';
import chip from './allowance-chip.module.css';
import styles from './header.module.css';
import { KeyMenu } from './key-menu.tsx';

const SCREENS = [
  { href: '/', name: 'Search' },
  { href: '/look-up', name: 'Look up' },
  { href: '/saved', name: 'Saved' },
  { href: '/operations', name: 'Operations' },
  { href: '/usage', name: 'Usage' },
];

export function Header() {
  const { session } = useSessionContext();
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <a className={styles.mark} href="/" aria-label="Company Evidence Search, start page">
          <img src={icon} alt="" width="28" height="28" />
          <span>
            Company Evidence <span className={styles.wide}>Search</span>
          </span>
        </a>
        <nav aria-label="Screens" className={styles.nav}>
          {SCREENS.map(({ href, name }) => (
            <ScreenLink key={href} href={href} name={name} />
          ))}
        </nav>
        {session && (
          <div className={styles.account}>
            <AllowanceChip />
            <KeyMenu kind={session.accountKind} />
          </div>
        )}
      </div>
    </header>
  );
}

function ScreenLink({ href, name }: { href: string; name: string }) {
  return (
    <Link href={href} className={(active) => (active ? `${styles.link} ${styles.active}` : (styles.link ?? ''))}>
      {name}
    </Link>
  );
}

function AllowanceChip() {
  const { data } = useUsageReport();
  if (!data) return null;
  const { subscription, usage, limits, reservations } = data;
  const units = limits.weekly_request_units - usage.weekly_request_units - reservations.request_units;
  const left = units.toLocaleString('en-CA');
  return (
    <Link
      href="/usage"
      className={chip.chip ?? ''}
      aria-label={`${subscription.plan} ${left} left this week: request units of your plan`}
    >
      <strong>{subscription.plan}</strong> <span className={chip.left}>{left} left this week</span>
    </Link>
  );
}
