import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queries } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import type { Secrets } from '#core/secrets/secrets.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import type { Gmb } from '../contract.ts'
import { gmbs, recoveryEmailPlace } from '../schema.ts'

type Asked = { search?: string | undefined; sort: string; order: 'asc' | 'desc'; page: number; per_page: number }
export type Stored = typeof gmbs.$inferSelect

export const visibleTo = (me: Me) => and(isNull(gmbs.deleted_at), inTheirCampaigns(me, gmbs.campaign_id))

export async function gmbsPage(db: Queries, secrets: Secrets, me: Me, asked: Asked) {
  const where = matching(me, asked)
  const rows = withCampaign(db)
    .where(where)
    .orderBy(...ordered(asked))
    .limit(asked.per_page)
    .offset((asked.page - 1) * asked.per_page)
  const counted = db
    .select({ total: sql<number>`count(*)::int` })
    .from(gmbs)
    .innerJoin(campaigns, eq(campaigns.id, gmbs.campaign_id))
    .where(where)
  const [data, [count]] = await Promise.all([rows, counted])
  return { data: data.map((row) => shown(secrets, row)), total: count?.total ?? 0 }
}

const matching = (me: Me, { search }: Asked) => and(visibleTo(me), found(search))

/** What a file has of them: nothing that is kept encrypted. */
export type FiledGmb = Pick<
  Gmb,
  | 'title'
  | 'status'
  | 'campaign_name'
  | 'address'
  | 'website'
  | 'phone'
  | 'email'
  | 'link'
  | 'review_link'
  | 'client_owned'
  | 'is_client_location'
  | 'reviews_count'
  | 'notes'
  | 'changed_fields'
  | 'checked_at'
  | 'updated_at'
>

/** All of them, for a file; moments by the agency's clock. */
export function gmbsQuery(db: Queries, { me, zone }: { me: Me; zone: string }, asked: Asked): SQL {
  const moment = (column: AnyPgColumn) => sql`to_char(${column} at time zone ${zone}, 'YYYY-MM-DD HH24:MI')`
  const { title, status, address, website, phone, email, link, review_link, notes } = gmbs
  const { client_owned, is_client_location, reviews_count, changed_fields } = gmbs
  return db
    .select({
      ...{ title, status, address, website, phone, email, link, review_link, notes },
      ...{ client_owned, is_client_location, reviews_count, changed_fields },
      campaign_name: sql`${campaigns.name}`.as('campaign_name'),
      checked_at: moment(gmbs.checked_at).as('checked_at'),
      updated_at: moment(gmbs.updated_at).as('updated_at'),
    })
    .from(gmbs)
    .innerJoin(campaigns, eq(campaigns.id, gmbs.campaign_id))
    .where(matching(me, asked))
    .orderBy(...ordered(asked))
    .getSQL()
}

/** One, in the shape of the list. Throws 404 for what this person does not see. */
export async function readGmb(db: Queries, secrets: Secrets, me: Me, id: number): Promise<Gmb> {
  const [row] = await withCampaign(db).where(and(eq(gmbs.id, id), visibleTo(me)))
  if (!row) throw notFound()
  return shown(secrets, row)
}

const withCampaign = (db: Queries) =>
  db
    .select({ gmb: gmbs, campaign_name: campaigns.name })
    .from(gmbs)
    .innerJoin(campaigns, eq(campaigns.id, gmbs.campaign_id))
    .$dynamic()

function shown(secrets: Secrets, { gmb, campaign_name }: { gmb: Stored; campaign_name: string }): Gmb {
  const {
    password,
    recovery_email,
    deleted_at,
    created_at,
    latitude,
    longitude,
    seen,
    seen_at,
    seen_by,
    cid,
    next_check_at,
    ...row
  } = gmb
  return {
    ...row,
    password: null,
    has_password: password !== null,
    recovery_email: opened(secrets, gmb),
    campaign_name,
    suspended_at: gmb.suspended_at?.toISOString() ?? null,
    changed_at: gmb.changed_at?.toISOString() ?? null,
    missed_at: gmb.missed_at?.toISOString() ?? null,
    gone_at: gmb.gone_at?.toISOString() ?? null,
    checked_at: gmb.checked_at?.toISOString() ?? null,
    check_asked_at: gmb.check_asked_at?.toISOString() ?? null,
    updated_at: gmb.updated_at.toISOString(),
  }
}

export const opened = (secrets: Secrets, { id, recovery_email }: Stored) =>
  recovery_email && secrets.open(recovery_email, recoveryEmailPlace(id))

const texts = ['title', 'address', 'website', 'phone', 'email', 'link', 'review_link', 'notes'] as const

function found(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(...[campaigns.name, ...texts.map((name) => gmbs[name])].map((column) => sql`${column} ilike ${like}`))
}

/** Words by their letters, everything else as it is; what is not there comes last. */
function ordered({ sort, order }: Asked): SQL[] {
  const direction = order === 'asc' ? asc : desc
  return [sql`${direction(keyOf(sort))} nulls last`, sql`${gmbs.id}`]
}

function keyOf(sort: string): SQL {
  const name = texts.find((one) => one === sort)
  if (name) return sql`lower(${gmbs[name]})`
  switch (sort) {
    case 'campaign_name':
      return sql`lower(${campaigns.name})`
    case 'status':
    case 'client_owned':
    case 'is_client_location':
    case 'changed':
    case 'checked_at':
    case 'updated_at':
    case 'reviews_count':
      return sql`${gmbs[sort]}`
    default:
      return sql`${gmbs.id}`
  }
}
