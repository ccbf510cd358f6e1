import type { SeededRandom } from './random.ts'

export type DemoPlace = { city: string; state: string; area: string; zone: string }
export type DemoPerson = { name: string; email: string; phone: string; location: string }

const createPlace = (city: string, state: string, area: string, zone: string): DemoPlace => ({
  city,
  state,
  area,
  zone: `America/${zone}`,
})
export const demoPlaces: readonly DemoPlace[] = [
  createPlace('Austin', 'TX', '512', 'Chicago'),
  createPlace('Dallas', 'TX', '214', 'Chicago'),
  createPlace('Houston', 'TX', '713', 'Chicago'),
  createPlace('San Antonio', 'TX', '210', 'Chicago'),
  createPlace('Nashville', 'TN', '615', 'Chicago'),
  createPlace('Memphis', 'TN', '901', 'Chicago'),
  createPlace('Kansas City', 'MO', '816', 'Chicago'),
  createPlace('Tulsa', 'OK', '918', 'Chicago'),
  createPlace('Minneapolis', 'MN', '612', 'Chicago'),
  createPlace('Atlanta', 'GA', '404', 'New_York'),
  createPlace('Savannah', 'GA', '912', 'New_York'),
  createPlace('Charlotte', 'NC', '704', 'New_York'),
  createPlace('Raleigh', 'NC', '919', 'New_York'),
  createPlace('Tampa', 'FL', '813', 'New_York'),
  createPlace('Orlando', 'FL', '407', 'New_York'),
  createPlace('Jacksonville', 'FL', '904', 'New_York'),
  createPlace('Columbus', 'OH', '614', 'New_York'),
  createPlace('Richmond', 'VA', '804', 'New_York'),
  createPlace('Pittsburgh', 'PA', '412', 'New_York'),
  createPlace('Denver', 'CO', '303', 'Denver'),
  createPlace('Boise', 'ID', '208', 'Boise'),
  createPlace('Phoenix', 'AZ', '602', 'Phoenix'),
  createPlace('Tucson', 'AZ', '520', 'Phoenix'),
  createPlace('Sacramento', 'CA', '916', 'Los_Angeles'),
  createPlace('Portland', 'OR', '503', 'Los_Angeles'),
]

export const firstNames =
  'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Karen Carlos Sarah Daniel Lisa Matthew Nancy Anthony Sandra Mark Ashley Steven Emily Andrew Kimberly Luis Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Melissa Jorge Deborah Timothy Stephanie Ronald Rebecca Jason Laura Ryan Sharon Jacob Cynthia Gary Amy Nicholas Kathleen Eric Angela Ana Brenda Justin Nicole Scott Samantha Brandon Rosa Benjamin Christine Samuel Emma Priya Omar Wei Aisha Tuan Maria Dmitri Leila'.split(
    ' ',
  )
export const lastNames =
  'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez Powell Jenkins Perry Russell Sullivan Bell Coleman Butler Henderson Barnes Fisher Vasquez Simmons Romero Jordan Patterson Alexander Hamilton Graham Reynolds Griffin Wallace West Cole Hayes Bryant Herrera Gibson Ellis Tran Medina'.split(
    ' ',
  )

/** Creates a person in that town, with a 555 number and an address at an example domain, so that no real person is contacted. */
export function createPerson(dice: SeededRandom, { city, state, area }: DemoPlace): DemoPerson {
  const first = dice.pick(firstNames)
  const last = dice.pick(lastNames)
  const handle = dice.pick([`${first}.${last}`, `${first[0]}${last}`, `${first}${last}${dice.int(1, 99)}`])
  const domain = dice.pick(['example.com', 'example.net', 'example.org'])
  return {
    name: `${first} ${last}`,
    email: `${handle.toLowerCase()}@${domain}`,
    phone: `+1${area}555${String(dice.int(0, 9999)).padStart(4, '0')}`,
    location: `${city}, ${state}`,
  }
}

export const pickFullName = (dice: SeededRandom) => `${dice.pick(firstNames)} ${dice.pick(lastNames)}`
