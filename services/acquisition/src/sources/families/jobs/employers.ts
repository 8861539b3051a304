import type { CountryName } from '@ces/proto/catalog';
import type { SourceSetting } from '../../../connector/source.ts';
import { hostnameOf } from '../../../extract/values/web-address.ts';

/** Named by an operator, with facts that the board does not publish. */
export interface Employer {
  readonly board: string;
  readonly name?: string;
  readonly country?: CountryName;
  readonly hostname?: string;
}

const BOARD = /^[\w.-]{1,100}$/;

export function employersSetting(name: string): SourceSetting {
  return {
    name,
    description: 'boards as token|name|country|hostname separated by commas; all but the token may be left out',
    required: true,
  };
}

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
