import { eq, sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { getRefreshTokenContext, googleAccountsTable } from '#domains/listings/google/schema.ts'
import type { GoogleStandIn } from '#integrations/fakes/google/server.ts'

/**
 * Google with the agency's listings: two people at the agency manage their locations, each with their own groups, and
 * earlier changes by staff are kept. One of the two accounts is linked from the start.
 */
export async function seedGoogle(context: AppContext, google: GoogleStandIn) {
  const listings = await readListings(context)
  for (const listing of listings) {
    const location = toDemoLocation(listing, google)
    google.locations.set(location.name, location)
    if (listing.status === 4) google.voices.set(location.name, suspendedState)
    if (listing.status === 2) google.voices.set(location.name, { verify: { hasPendingVerification: true } })
    if (listing.status === 3) google.voices.set(location.name, { verify: {} })
    if (listing.id % 23 === 0) google.pending.set(location.name, new Set(['title']))
  }
  const inGroup = (rest: number) => listings.filter(({ id }) => id % 3 === rest).map(({ id }) => `locations/${id}`)
  google.reviewed.add('title')
  google.people = [
    createGoogleUser(1, 'listings@leadline.example', 'Leadline Listings', [inGroup(0), inGroup(1)]),
    createGoogleUser(2, 'clients@leadline.example', 'Leadline Clients', [inGroup(2)]),
  ]
  await linkFirstAccount(context, google)
  await registerRefreshTokens(context, google)
}

const suspendedState = {
  hasVoiceOfMerchant: false,
  hasBusinessAuthority: true,
  complyWithGuidelines: { recommendationReason: 'BUSINESS_LOCATION_SUSPENDED' },
}

type GmbListing = {
  id: number
  title: string
  address: string | null
  website: string | null
  phone: string | null
  link: string
  review_link: string | null
  status: number
  trade: string | null
  kept_title: string | null
  kept_phone: string | null
  kept_website: string | null
  kept_description: string | null
}

async function readListings({ db }: AppContext): Promise<GmbListing[]> {
  const { rows } = await db.execute<GmbListing>(sql`
    select g.id, g.title, g.address, g.website, g.phone, g.link, g.review_link, g.status,
      (select c.name from campaign_category_links l join campaign_categories c on c.id = l.category_id
        where l.campaign_id = g.campaign_id order by c.id limit 1) as trade,
      kept.title as kept_title, kept.phone as kept_phone, kept.website as kept_website, kept.description as kept_description
    from campaign_gmbs g left join google_locations kept on kept.name = 'locations/' || g.id
    where g.deleted_at is null order by g.id`)
  return rows
}

function toDemoLocation(listing: GmbListing, { categories }: GoogleStandIn) {
  const { id, title, trade, phone, website, link, review_link, status } = listing
  const [street = '', town = '', end = ''] = (listing.address ?? '').split(', ')
  const [administrativeArea = '', postalCode = ''] = end.split(' ')
  const word = trade?.split(/\W/)[0]?.toLowerCase().slice(0, 5) ?? ''
  const fitting = categories.filter(({ displayName }) => word && displayName.toLowerCase().includes(word))
  const [primaryCategory = categories[0], ...others] = fitting
  return {
    name: `locations/${id}`,
    languageCode: 'en',
    title: listing.kept_title ?? title,
    phoneNumbers: { primaryPhone: listing.kept_phone ?? formatListingPhone(phone) },
    websiteUri: listing.kept_website ?? website ?? '',
    categories: { primaryCategory, additionalCategories: others.slice(0, 2) },
    storefrontAddress: { regionCode: 'US', administrativeArea, locality: town, postalCode, addressLines: [street] },
    serviceArea: {
      businessType: 'CUSTOMER_AND_BUSINESS_LOCATION',
      places: { placeInfos: [{ placeName: `${town}, ${administrativeArea}, USA`, placeId: `demo-${id}` }] },
    },
    profile: {
      description:
        listing.kept_description ??
        `${title} serves ${town} and the towns around it. Licensed, insured, and on the phone when you call. Free estimates.`,
    },
    openInfo: { status: status === 5 ? 'CLOSED_PERMANENTLY' : 'OPEN' },
    metadata: { mapsUri: link, newReviewUri: review_link ?? '', placeId: `demo-${id}` },
  }
}

const formatListingPhone = (phone: string | null) => phone?.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

const createGoogleUser = (number: number, email: string, name: string, groups: string[][]) => ({
  subject: `10000000000000000000${number}`,
  email,
  accounts: groups.map((locations, index) => ({
    name: `accounts/${number}0${index}`,
    accountName: index === 0 ? name : `${name} ${index + 1}`,
    type: index === 0 ? 'PERSONAL' : 'LOCATION_GROUP',
    locations,
  })),
})

async function linkFirstAccount({ db, secrets }: AppContext, google: GoogleStandIn) {
  const [first] = google.people
  if (!first || (await db.$count(googleAccountsTable)) > 0) return
  const { subject, email } = first
  const [made] = await db
    .insert(googleAccountsTable)
    .values({ subject, email, account_name: email, refresh_token: Buffer.alloc(0) })
    .returning({ id: googleAccountsTable.id })
  const { id } = made!
  const refresh_token = secrets.seal('1//the-demo-begins-with-this', getRefreshTokenContext(id))
  await db.update(googleAccountsTable).set({ refresh_token }).where(eq(googleAccountsTable.id, id))
}

/** Accounts linked in an earlier run of the demo are still linked. */
async function registerRefreshTokens({ db, secrets }: AppContext, google: GoogleStandIn) {
  for (const { id, subject, refresh_token } of await db.select().from(googleAccountsTable)) {
    const known = google.people.find((one) => one.subject === subject)
    if (known) google.refreshTokens.set(secrets.open(refresh_token, getRefreshTokenContext(id)), known)
  }
}
