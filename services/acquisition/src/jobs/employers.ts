import type { CountryName } from '@ces/proto/catalog';
import { hostnameOf } from '../extract/hostnames.ts';
import type { SourceSetting } from '../sources/source.ts';

/** A board that an operator named, with what the board does not say of its employer. */
export interface Employer {
  readonly board: string;
  readonly name?: string;
  readonly country?: CountryName;
  readonly hostname?: string;
}

const BOARD = /^[\w.-]{1,100}$/;

/** The setting that names the boards. */
export function boardsSetting(name: string): SourceSetting {
  return {
    name,
    description: 'boards as token|name|country|hostname separated by commas; all but the token may be left out',
    required: true,
  };
}

/** The boards of the setting; what is no token is passed over. */
export function readEmployers(text: string | undefined): Employer[] {
  return (text ?? '').split(',').flatMap((entry) => {
    const [board = '', name = '', country = '', website = ''] = entry.split('|').map((part) => part.trim());
    if (!BOARD.test(board)) return [];
    const hostname = hostnameOf(website);
    return [
      {
        board,
        ...(name && { name }),
        ...((country === 'CA' || country === 'US') && { country }),
        ...(hostname && { hostname }),
      },
    ];
  });
}
