/** Stored plans hold these names, so their meaning never changes. */
export type Measure =
  | 'money'
  | 'power'
  | 'energy'
  | 'mass'
  | 'volume'
  | 'floor'
  | 'land'
  | 'length'
  | 'jobs'
  | 'rooms'
  | 'beds'
  | 'homes'
  | 'stores'
  | 'restaurants'
  | 'branches'
  | 'hotels'
  | 'properties'
  | 'ships'
  | 'aircraft'
  | 'vehicles'
  | 'founded';

export interface Unit {
  readonly measure: Measure;
  readonly factor: number;
}

/** Indexes store these numbers: never change or reuse one. */
export const MEASURE_NUMBERS: Readonly<Record<Measure, number>> = {
  money: 1,
  power: 2,
  energy: 3,
  mass: 4,
  volume: 5,
  floor: 6,
  land: 7,
  length: 8,
  jobs: 9,
  rooms: 10,
  beds: 11,
  homes: 12,
  stores: 13,
  restaurants: 14,
  branches: 15,
  hotels: 16,
  properties: 17,
  ships: 18,
  aircraft: 19,
  vehicles: 20,
  founded: 21,
};

/** Lower-case units with factors to the base: W, Wh, t, l, m², km, or a count. */
const UNITS: Readonly<Partial<Record<Measure, string>>> = {
  power:
    'watts 1, kw 1e3, kilowatt 1e3, kilowatts 1e3, kwp 1e3, mw 1e6, mwp 1e6, megawatt 1e6, megawatts 1e6, gw 1e9, gigawatt 1e9, gigawatts 1e9',
  energy:
    'kwh 1e3, kilowatt hour 1e3, kilowatt hours 1e3, mwh 1e6, megawatt hour 1e6, megawatt hours 1e6, gwh 1e9, gigawatt hour 1e9, gigawatt hours 1e9, twh 1e12, terawatt hours 1e12',
  mass: 'kg 1e-3, kilograms 1e-3, tonne 1, tonnes 1, metric ton 1, metric tons 1, metric tonnes 1, ton 0.907, tons 0.907, short tons 0.907, kilotonnes 1e3, megatonnes 1e6',
  volume:
    'litres 1, liters 1, litre 1, liter 1, gallon 3.785, gallons 3.785, barrel 159, barrels 159, bbl 159, bpd 159, boe 159, cubic metres 1e3, cubic meters 1e3, cubic feet 28.3, barils 159, metres cubes 1e3',
  floor:
    'square foot 0.0929, square feet 0.0929, sq ft 0.0929, sqft 0.0929, square metre 1, square metres 1, square meter 1, square meters 1, pieds carres 0.0929, metres carres 1',
  land: 'acre 4047, acres 4047, hectare 1e4, hectares 1e4, square kilometres 1e6, square kilometers 1e6, square miles 2.59e6',
  length: 'km 1, kilometre 1, kilometres 1, kilometer 1, kilometers 1, mile 1.609, miles 1.609',
  jobs: 'job 1, jobs 1, employee 1, employees 1, worker 1, workers 1, staff 1, positions 1, emplois 1, employes 1, postes 1',
  rooms: 'room 1, rooms 1, guestrooms 1, suites 1, chambres 1',
  beds: 'bed 1, beds 1, lits 1',
  homes:
    'home 1, homes 1, apartment 1, apartments 1, apartment units 1, housing units 1, residential units 1, dwellings 1, logements 1, appartements 1',
  stores: 'store 1, stores 1, shops 1, outlets 1, supermarkets 1, pharmacies 1, dealerships 1, magasins 1',
  restaurants: 'restaurant 1, restaurants 1',
  branches: 'branch 1, branches 1, branch offices 1, banking offices 1, banking centers 1, succursales 1',
  hotels: 'hotel 1, hotels 1, resorts 1',
  properties: 'property 1, properties 1, buildings 1, immeubles 1',
  ships: 'ship 1, ships 1, vessel 1, vessels 1, tankers 1, barges 1, navires 1',
  aircraft: 'aircraft 1, airplanes 1, planes 1, helicopters 1, jets 1',
  vehicles: 'vehicle 1, vehicles 1, trucks 1, tractors 1, railcars 1, trailers 1, vehicules 1, camions 1',
};

/** Their number is adjacent. Words may separate other units: "500 new jobs". */
const EXACT: ReadonlySet<Measure> = new Set(['power', 'energy', 'mass', 'volume', 'floor', 'land', 'length']);

export const UNIT_OF: ReadonlyMap<string, Unit> = new Map(
  Object.entries(UNITS).flatMap(([measure, units]) =>
    units.split(', ').map((unit): [string, Unit] => {
      const at = unit.lastIndexOf(' ');
      return [unit.slice(0, at), { measure: measure as Measure, factor: Number(unit.slice(at + 1)) }];
    }),
  ),
);

export function isCount(measure: Measure): boolean {
  return !EXACT.has(measure) && measure !== 'money';
}

export function isMeasure(word: string): word is Measure {
  return Object.hasOwn(MEASURE_NUMBERS, word);
}
