export interface HostileText {
  readonly name: string;
  readonly make: (size: number) => string;
}

/** Each item is harmless. Many of them make nested loops quadratic. */
const PUMPS: Readonly<Record<string, string>> = {
  ...{ letters: 'a', digits: '9', zeros: '0', blanks: ' ', tabs: '\t', 'line ends': '\n', 'carriage returns': '\r\n' },
  ...{ dots: '.', dashes: '-', commas: ',', colons: ':', slashes: '/', 'at signs': '@', 'plus signs': '+', bars: '|' },
  ...{
    quotes: '"',
    'single quotes': "'",
    backslashes: '\\',
    brackets: '(',
    'brackets that end': '()',
    percents: '%20',
  },
  ...{ words: 'a ', sentences: 'Ab cd. ', initials: 'A.', 'words and commas': 'a,', 'lines of words': 'ab cd\n' },
  ...{ 'marks in turns': '\u0301\u0316', 'marks behind letters': 'e\u0301', joiners: '\u200d', tags: '\u{e0061}' },
  ...{ pictures: '\u{1f468}\u200d', 'halves of pairs': '\ud800', ideographs: '\u4e00', 'wide letters': '\ufdfa' },
  ...{ 'misread bytes': '\u00c3\u00a9', 'years and months': '2026-01-01 ', 'telephone numbers': '555-555-0142 ' },
  ...{
    addresses: 'a@b.example ',
    'bare addresses': 'a.example/',
    labels: 'a.',
    'legal forms': 'inc ltd ',
    states: ' /DE/',
  },
  ...{
    elements: '<a>',
    blocks: '<p>',
    'ends of elements': '</a>',
    'begun elements': '<a ',
    attributes: '<a b="',
    comments: '<!--',
  },
  ...{
    'silent elements': '<script>',
    'character data': '<![CDATA[',
    entities: '&amp;',
    'begun entities': '&#',
    instructions: '<?',
  },
};

const repeated = (pump: string, size: number) => pump.repeat(Math.max(1, Math.floor(size / pump.length)));
const halves = (first: string, second: string) => (size: number) =>
  repeated(first, size / 2) + repeated(second, size / 2);

export const HOSTILE_TEXTS: readonly HostileText[] = [
  ...Object.entries(PUMPS).map(([name, pump]) => ({ name, make: (size: number) => repeated(pump, size) })),
  { name: 'elements and ends of another', make: halves('<x>', '</y>') },
  { name: 'elements and ends of the first', make: (size) => `<y>${halves('<x>', '</y>')(size)}` },
  { name: 'elements in elements', make: halves('<b>', '</b>') },
  { name: 'addresses in addresses', make: halves('x[at][', ']b.example') },
  { name: 'addresses inside each other', make: halves('a [', 'a@b.example at] b.example') },
  { name: 'distinct words', make: (size) => Array.from({ length: size / 6 }, (_, at) => `w${at}`).join(' ') },
  {
    name: 'distinct ideographs',
    make: (size) => Array.from({ length: size }, (_, at) => String.fromCodePoint(0x4e00 + (at % 20_000))).join(''),
  },
  { name: 'a long word in a sentence', make: (size) => `Ab ${repeated('a', size)} cd.` },
  { name: 'zeros between digits', make: (size) => `1${repeated('0', size)}1` },
];
