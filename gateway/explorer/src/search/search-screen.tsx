import { Page } from '../frame/page.tsx';

export default function SearchScreen() {
  return <Page title="Search" />;
}
