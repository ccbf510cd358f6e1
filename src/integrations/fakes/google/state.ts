import type { StandInRequest } from './reply.ts'

/** A Google account to sign in with, and its Business Profile accounts. */
export type GoogleUser = { subject: string; email: string; accounts: StandInAccount[] }
type StandInAccount = { name: string; accountName: string; type: string; locations: string[] }
export type StandInLocation = { name: string } & Record<string, unknown>

export type GoogleStandInState = {
  clientId: string
  clientSecret: string
  people: GoogleUser[]
  /** The locations by name, `locations/1`. */
  locations: Map<string, StandInLocation>
  /** The VoiceOfMerchantState of a location; one that is not here has voice of merchant. */
  voices: Map<string, object>
  categories: { name: string; displayName: string }[]
  /** Fields that Google reviews before it shows a change. */
  reviewed: Set<string>
  /** Fields under review, by location. */
  pending: Map<string, Set<string>>
  /** Codes that have not been exchanged yet. */
  codes: Map<string, { person: GoogleUser; redirect: string; challenge: string; scope: string }>
  /** The person of each refresh token. */
  refreshTokens: Map<string, GoogleUser>
  /** The refresh tokens that another client was given. */
  foreignTokens: Set<string>
  accessTokens: Map<string, { person: GoogleUser; until: number }>
  /** The lifetime of an access token, in seconds. */
  lasts: number
  /** The times at which each location was edited, in milliseconds; `editsAMinute` is the limit. */
  edits: Map<string, number[]>
  editsAMinute: number
  /** Whether the project is not approved: every quota is zero then. */
  unapproved: boolean
  /** Failures for the next requests to a path; `page` is a page with status 200, as a network's sign-in shows. */
  failing: { path: string; status: number | 'silence' | 'page'; times: number; retryAfter?: number }[]
  /** All requests, in order. */
  requests: string[]
  /** Called before each response, so that a test can change something during the request. */
  before: (request: StandInRequest) => unknown
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
  foreignTokens: new Set(),
  accessTokens: new Map(),
  lasts: 3600,
  edits: new Map(),
  editsAMinute: 10,
  unapproved: false,
  failing: [],
  requests: [],
  before: () => {},
})

/** Revokes a person's access, as its owner does, or Google after a long time without use. */
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
