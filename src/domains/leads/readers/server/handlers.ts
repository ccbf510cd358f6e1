import { and, arrayOverlaps, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PermissionFlag } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { sortDirection, textOrderSql } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import { type UserRole, userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { implementContract } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '../../model/schema.ts'
import { canSeeLead } from '../../model/visibility.ts'
import { leadReadersContract } from '../contract.ts'

export const leadReadersHandlers = implementContract(leadReadersContract, {
  list: async ({ db, me, params, query }) => {
    const [lead] = await db
      .select({ campaign_id: leadsTable.campaign_id, hide: leadsTable.hide })
      .from(leadsTable)
      .where(eq(leadsTable.id, params.id))
    if (!lead || !canSeeLead(me, lead)) throw notFoundError()
    return readLeadReaders(db, lead, query)
  },
})

type ReadLead = { campaign_id: number; hide: boolean }
const leadPages: PermissionFlag[] = ['leads', 'archivedleads']

/** Returns a page of the users who may read the lead, by name, and their total. */
async function readLeadReaders(
  db: DbOrTx,
  lead: ReadLead,
  query: { page: number; per_page: number; order: 'asc' | 'desc' },
) {
  const where = buildReadersFilter(lead)
  const { id, username, role, permissions } = usersTable
  const readers = db
    .select({ id, username, role, permissions })
    .from(usersTable)
    .where(where)
    .orderBy(sortDirection(query.order)(textOrderSql(username)), asc(id))
  const { data, total } = await readPage(readers, db.$count(usersTable, where), query)
  return {
    data: data.map(({ permissions: pages, ...user }) => ({ ...user, because: explainReader(user.role, pages) })),
    total,
  }
}

/** A hidden lead is for admins, and one without a campaign is for super admins. */
function buildReadersFilter({ campaign_id, hide }: ReadLead): SQL | undefined {
  const { role, permissions, client_id, is_active, deleted_at, id } = usersTable
  const isTicked = sql`exists (select from ${userCampaignsTable} where ${userCampaignsTable.user_id} = ${id} and ${userCampaignsTable.campaign_id} = ${campaign_id})`
  const isOfClient = sql`${client_id} = (select ${campaignsTable.client_id} from ${campaignsTable} where ${campaignsTable.id} = ${campaign_id})`
  const staff: UserRole[] = hide ? ['admin'] : ['admin', 'leads_handler']
  return and(
    is_active,
    isNull(deleted_at),
    or(
      eq(role, 'super_admin'),
      and(inArray(role, staff), arrayOverlaps(permissions, leadPages), isTicked),
      hide ? undefined : and(eq(role, 'customer'), isOfClient),
    ),
  )
}

function explainReader(role: UserRole, pages: readonly PermissionFlag[]): string {
  if (role === 'super_admin') return 'Super admins read every lead'
  if (role === 'customer') return 'The campaign is of their client'
  const held = leadPages.filter((page) => pages.includes(page)).map((page) => pageTitles[page])
  return `The campaign is ticked for them, and the page ${held.join(' and ')}`
}
