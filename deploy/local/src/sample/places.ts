export interface Place {
  readonly city: string;
  readonly region: string;
  readonly country: 'CA' | 'US';
}

const CITIES: Record<'CA' | 'US', Record<string, readonly string[]>> = {
  CA: {
    Ontario: ['Toronto', 'Hamilton', 'Ottawa', 'London', 'Windsor', 'Kitchener', 'Sudbury', 'Kingston', 'Thunder Bay'],
    Quebec: ['Montreal', 'Quebec City', 'Laval', 'Sherbrooke', 'Gatineau', 'Trois-Rivières'],
    'British Columbia': ['Vancouver', 'Surrey', 'Kelowna', 'Victoria', 'Prince George', 'Kamloops'],
    Alberta: ['Calgary', 'Edmonton', 'Red Deer', 'Lethbridge', 'Grande Prairie'],
    Manitoba: ['Winnipeg', 'Brandon'],
    Saskatchewan: ['Saskatoon', 'Regina', 'Moose Jaw'],
    'Nova Scotia': ['Halifax', 'Sydney', 'Truro'],
    'New Brunswick': ['Moncton', 'Saint John', 'Fredericton'],
    'Newfoundland and Labrador': ["St. John's", 'Corner Brook'],
    'Prince Edward Island': ['Charlottetown'],
  },
  US: {
    Ohio: ['Columbus', 'Cleveland', 'Dayton', 'Toledo'],
    Michigan: ['Detroit', 'Grand Rapids', 'Flint'],
    Texas: ['Houston', 'Austin', 'El Paso', 'San Antonio', 'Fort Worth'],
    California: ['Fresno', 'Oakland', 'San Diego', 'Sacramento', 'Long Beach'],
    'New York': ['Buffalo', 'Rochester', 'Syracuse', 'Brooklyn'],
    Illinois: ['Chicago', 'Peoria', 'Rockford'],
    Georgia: ['Atlanta', 'Savannah', 'Augusta'],
    'North Carolina': ['Charlotte', 'Durham', 'Greensboro'],
    Pennsylvania: ['Pittsburgh', 'Philadelphia', 'Erie'],
    Washington: ['Seattle', 'Spokane', 'Tacoma'],
    Arizona: ['Phoenix', 'Tucson'],
    Minnesota: ['Minneapolis', 'Duluth', 'Rochester'],
    Colorado: ['Denver', 'Pueblo'],
    Tennessee: ['Memphis', 'Nashville', 'Chattanooga'],
    Florida: ['Tampa', 'Jacksonville', 'Orlando'],
    Massachusetts: ['Worcester', 'Boston', 'Lowell'],
    Kansas: ['Wichita', 'Topeka'],
    Oregon: ['Portland', 'Eugene'],
    Iowa: ['Des Moines', 'Cedar Rapids'],
    'South Carolina': ['Greenville', 'Charleston'],
  },
};

/** All places of a country. The cities are real; the rest of the sample is invented. */
export const PLACES: Record<'CA' | 'US', readonly Place[]> = { CA: placesOf('CA'), US: placesOf('US') };

function placesOf(country: 'CA' | 'US'): Place[] {
  return Object.entries(CITIES[country]).flatMap(([region, cities]) =>
    cities.map((city) => ({ city, region, country })),
  );
}
