/**
 * What the agency's clients do for a living. `seasons` is the demand from January to December, `calls` the share of
 * people who call rather than write, `job` the usual price of a job in dollars.
 */
export type DemoTrade = {
  name: string
  color: string
  seasons: readonly number[]
  calls: number
  job: number
  /** Second words of the clients' names, and search terms. */
  firms: readonly string[]
  searches: readonly string[]
  troubles: readonly string[]
}

export const demoTrades: readonly DemoTrade[] = [
  {
    name: 'Roofing',
    color: '#d9480f',
    seasons: [0.7, 0.7, 1, 1.2, 1.4, 1.3, 1.2, 1.2, 1.1, 1, 0.7, 0.5],
    calls: 0.62,
    job: 9800,
    firms: ['Roofing', 'Roofing & Exteriors', 'Roof Pros'],
    searches: ['roof repair', 'roof leak', 'hail damage roof', 'metal roofing', 'roof replacement cost'],
    troubles: [
      'There is a leak over the bedroom ceiling and it gets worse with every storm',
      'Hail broke several shingles last night, my insurance wants an inspection',
      'We would like a quote for a full roof replacement, about 2,400 square feet',
      'A few shingles blew off near the chimney and I can see the wood',
      'I need a metal roof estimate for a detached garage',
    ],
  },
  {
    name: 'Plumbing',
    color: '#1971c2',
    seasons: [1.2, 1.1, 1, 1, 0.9, 0.9, 1, 1, 0.9, 0.9, 1, 1.2],
    calls: 0.74,
    job: 640,
    firms: ['Plumbing', 'Plumbing & Drain', 'Rooter Service'],
    searches: ['emergency plumber', 'water heater repair', 'clogged drain', 'slab leak', 'plumber near me'],
    troubles: [
      'The kitchen drain is clogged and backing up into the dishwasher',
      'Our water heater stopped working this morning, no hot water at all',
      'I think we have a slab leak, the floor is warm and the water bill doubled',
      'The toilet keeps running and the shut-off valve does not turn',
      'I need someone to install a water softener next week',
    ],
  },
  {
    name: 'HVAC',
    color: '#0c8599',
    seasons: [1.1, 0.9, 0.7, 0.8, 1.2, 1.6, 1.8, 1.6, 1, 0.7, 0.8, 1],
    calls: 0.7,
    job: 2300,
    firms: ['Heating & Air', 'Air Conditioning', 'Comfort Systems'],
    searches: ['ac repair', 'furnace not working', 'hvac tune up', 'new ac unit cost', 'heat pump installation'],
    troubles: [
      'The AC is blowing warm air and the house is 86 degrees',
      'The furnace makes a loud bang when it starts, is that dangerous?',
      'Please quote a new heat pump for a three bedroom house',
      'The thermostat is blank since the power went out',
      'I am looking for a maintenance plan for two units',
    ],
  },
  {
    name: 'Electrical',
    color: '#f08c00',
    seasons: [0.9, 0.9, 1, 1, 1, 1.1, 1.1, 1.1, 1, 1, 1, 1.1],
    calls: 0.6,
    job: 850,
    firms: ['Electric', 'Electrical Services', 'Power & Light'],
    searches: [
      'electrician near me',
      'panel upgrade',
      'ev charger installation',
      'outlet not working',
      'generator install',
    ],
    troubles: [
      'Half of the outlets in the garage are dead and the breaker will not reset',
      'I need a 240V outlet for an EV charger, panel is on the other side of the wall',
      'Lights flicker whenever the dryer runs',
      'Could I get a quote for a panel upgrade to 200 amps?',
      'I want a whole-house generator before storm season',
    ],
  },
  {
    name: 'Pest Control',
    color: '#2f9e44',
    seasons: [0.5, 0.6, 0.9, 1.2, 1.4, 1.5, 1.5, 1.4, 1.2, 0.9, 0.6, 0.5],
    calls: 0.58,
    job: 290,
    firms: ['Pest Control', 'Pest Solutions', 'Termite & Pest'],
    searches: ['exterminator', 'termite inspection', 'bed bug treatment', 'rodent control', 'wasp nest removal'],
    troubles: [
      'I found termite tubes along the foundation and need an inspection soon',
      'We hear scratching in the attic at night, maybe squirrels',
      'There are ants all over the kitchen again, third time this year',
      'There is a big wasp nest above the front door and I have kids',
      'I need a bed bug treatment for a two bedroom apartment',
    ],
  },
  {
    name: 'Tree Service',
    color: '#5c940d',
    seasons: [0.6, 0.7, 1, 1.2, 1.2, 1.2, 1.1, 1.2, 1.2, 1.1, 0.9, 0.6],
    calls: 0.55,
    job: 1350,
    firms: ['Tree Service', 'Tree Care', 'Arbor Care'],
    searches: ['tree removal', 'stump grinding', 'tree trimming cost', 'emergency tree service', 'arborist'],
    troubles: [
      'A large oak limb fell on the fence and needs to be removed',
      'How much to grind two stumps in the back yard?',
      'A dead pine leans toward the house, can you look at it this week?',
      'I need four trees trimmed away from the power line',
      'Our HOA asks for an arborist report before removal',
    ],
  },
  {
    name: 'Water Damage',
    color: '#6741d9',
    seasons: [1.3, 1.1, 0.9, 1, 1, 1.1, 1.1, 1.2, 1.1, 0.9, 0.9, 1.2],
    calls: 0.82,
    job: 4200,
    firms: ['Restoration', 'Water Restoration', 'Flood & Fire Restoration'],
    searches: [
      'water damage restoration',
      'flooded basement',
      'mold remediation',
      'burst pipe cleanup',
      'sewage cleanup',
    ],
    troubles: [
      'The basement flooded overnight, about three inches of water',
      'A pipe burst upstairs and the ceiling came down in the living room',
      'We smell mold behind the bathroom wall and would like a test',
      'Sewage came up through the shower, we need help today',
      'My insurance asked for a second drying estimate',
    ],
  },
  {
    name: 'Garage Doors',
    color: '#c2255c',
    seasons: [1, 0.9, 1, 1, 1, 1, 1, 1, 1, 1.1, 1.1, 1.1],
    calls: 0.72,
    job: 480,
    firms: ['Garage Doors', 'Overhead Door', 'Garage Door Repair'],
    searches: ['garage door repair', 'broken garage spring', 'garage door opener', 'new garage door', 'off track door'],
    troubles: [
      'The spring snapped and the car is stuck inside',
      'The opener hums but the door does not move',
      'The door came off the track on one side',
      'What does a 16x7 insulated door with windows cost?',
      'The remote works only from inside the garage',
    ],
  },
]
