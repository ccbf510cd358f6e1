import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUserDto } from '../sign-in/contract.ts'
import { readToolLinks } from '../tool-links/server/handlers.ts'
import type { CurrentUser } from './current-user.ts'

/** Returns the person as GET user/me describes them. */
export async function readCurrentUserDto(db: DbOrTx, me: CurrentUser): Promise<CurrentUserDto> {
  const links = me.isSuperAdmin ? await readToolLinks(db) : []
  const { 'leads.list': leadsList = [], ...others } = me.hiddenColumns
  return {
    id: me.id,
    username: me.username,
    email: me.email,
    isAdmin: me.isAdmin,
    isSuperAdmin: me.isSuperAdmin,
    isCustomer: me.role === 'customer',
    timezone: me.timezone,
    tools_links: links,
    permissions: me.permissions,
    hidden_columns: Object.entries({ 'leads.list': leadsList, ...others }).map(([view, hidden_columns]) => ({
      view,
      hidden_columns,
    })),
    chosen_views: Object.keys(me.hiddenColumns),
    tables: me.tableLayouts,
    saw_tour: me.sawTour,
    ...(me.mustEnrol ? { must_enrol: true } : {}),
    time_format: me.timeFormat,
    seen_by: me.seenBy,
  }
}
