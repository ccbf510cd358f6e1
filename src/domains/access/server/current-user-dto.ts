import type { DbOrTx } from '#core/db/db.ts'
import { findPendingEmail } from '../email-change/server/handlers.ts'
import type { CurrentUserDto } from '../sign-in/contract.ts'
import { readToolLinks } from '../tool-links/server/handlers.ts'
import type { CurrentUser } from './current-user.ts'

/** The columns of each view, and those that are hidden until a person chooses. */
export type HideableColumns = Readonly<Record<string, { columns: readonly string[]; startHidden: readonly string[] }>>

/** Returns the person as GET user/me describes them. */
export async function readCurrentUserDto(
  db: DbOrTx,
  me: CurrentUser,
  { hideableColumns }: { hideableColumns: HideableColumns },
): Promise<CurrentUserDto> {
  const links = me.isSuperAdmin ? await readToolLinks(db) : []
  const hidden = {
    ...Object.fromEntries(Object.entries(hideableColumns).map(([view, { startHidden }]) => [view, [...startHidden]])),
    ...me.hiddenColumns,
  }
  return {
    id: me.id,
    username: me.username,
    email: me.email,
    pending_email: await findPendingEmail(db, me.id),
    isAdmin: me.isAdmin,
    isSuperAdmin: me.isSuperAdmin,
    isCustomer: me.role === 'customer',
    timezone: me.timezone,
    tools_links: links,
    permissions: me.permissions,
    hidden_columns: Object.entries(hidden).map(([view, hidden_columns]) => ({
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
