import type { StandInRequest } from './reply.ts'

/** A Google account that somebody signs in with, and the Business Profile accounts that it reaches. */
export type GoogleUser = { subject: string; email: string; accounts: StandInAccount[] }
type StandInAccount = { name: string; accountName: string; type: string; locations: string[] }
export type StandInLocation = { name: string } & Record<string, unknown>

export type GoogleStandInState = {
  clientId: string
  clientSecret: string
  people: GoogleUser[]
  /** By name, `locations/1`. */
  locations: Map<string, StandInLocation>
  /** What VoiceOfMerchantState says of a location; one that is not here has the voice of its merchant. */
  voices: Map<string, object>
  categories: { name: string; displayName: string }[]
  /** Parts that Google looks at for a while before it shows them. */
  reviewed: Set<string>
  /** What is looked at, by location. */
  pending: Map<string, Set<string>>
  /** Codes that wait to be exchanged. */
  codes: Map<string, { person: GoogleUser; redirect: string; challenge: string; scope: string }>
  /** Refresh tokens by what they open. */
  refreshTokens: Map<string, GoogleUser>
  accessTokens: Map<string, { person: GoogleUser; until: number }>
  /** Seconds that an access token lasts. */
  lasts: number
  /** When each location was edited, in milliseconds: ten a minute, and no more. */
  edits: Map<string, number[]>
  editsAMinute: number
  /** The project is not approved: every quota is zero. */
  unapproved: boolean
  /** What the next questions to a path get instead of an answer. */
  failing: { path: string; status: number | 'silence'; times: number; retryAfter?: number }[]
  /** Every question, in its order. */
  requests: string[]
  /** Before each answer: what a test wants to happen meanwhile. */
  before: (asked: StandInRequest) => unknown
}

export const createGoogleState = (): GoogleStandInState => ({
  clientId: 'stand-in.apps.googleusercontent.com',
  clientSecret: 'stand-in-client-secret',
  people: [],
  locations: new Map(),
  voices: new Map(),
  categories: sampleCategories,
  reviewed: new Set(),
  pending: new Map(),
  codes: new Map(),
  refreshTokens: new Map(),
  accessTokens: new Map(),
  lasts: 3600,
  edits: new Map(),
  editsAMinute: 10,
  unapproved: false,
  failing: [],
  requests: [],
  before: () => {},
})

/** The account's owner takes the access back; or it has lain unused for too long. */
export function revokeAccess(world: GoogleStandInState, person: GoogleUser) {
  for (const [token, of] of world.refreshTokens) if (of === person) world.refreshTokens.delete(token)
  for (const [token, { person: of }] of world.accessTokens) if (of === person) world.accessTokens.delete(token)
}

const sampleCategories = [
  ...['Fast food restaurant', 'Food court', 'Restaurant', 'Seafood restaurant', 'Caterer'],
  ...['Plumber', 'Plumbing supply store', 'Drainage service', 'Water damage restoration service'],
  ...[
    'Roofing contractor',
    'Roofing supply store',
    'Gutter service',
    'Siding contractor',
    'Window installation service',
  ],
  ...['HVAC contractor', 'Air conditioning contractor', 'Air conditioning repair service', 'Heating contractor'],
  ...['Electrician', 'Electrical installation service', 'Generator shop', 'Lighting contractor'],
  ...['Landscaper', 'Lawn care service', 'Tree service', 'Landscape designer', 'Snow removal service'],
  ...['Dentist', 'Dental clinic', 'Cosmetic dentist', 'Emergency dental service', 'Orthodontist'],
  ...['Law firm', 'Personal injury attorney', 'Family law attorney', 'Criminal justice attorney'],
  ...['Moving company', 'Moving and storage service', 'Piano moving service', 'Self-storage facility'],
  ...[
    'Pest control service',
    'Bird control service',
    'Garage door supplier',
    'Locksmith',
    'Emergency locksmith service',
  ],
  ...[
    'Auto repair shop',
    'Towing service',
    'Car detailing service',
    'House cleaning service',
    'Carpet cleaning service',
  ],
  ...['General contractor', 'Kitchen remodeler', 'Bathroom remodeler', 'Painter', 'Flooring contractor'],
]
  .toSorted()
  .map((displayName) => ({ name: `categories/gcid:${displayName.toLowerCase().replace(/\W+/g, '_')}`, displayName }))
