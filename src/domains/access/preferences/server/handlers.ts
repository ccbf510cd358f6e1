import { eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { validationError } from '#core/http/errors.ts'
import { implementContract } from '#domains/app-context.ts'
import { usersTable } from '../../schema.ts'
import { type HideableColumns, readCurrentUserDto } from '../../server/current-user-dto.ts'
import { createPreferencesContract } from '../contract.ts'

type CustomizedParts = {
  tables: readonly string[]
  hideableColumns: HideableColumns
}

/** Adds to what is stored, not to what was read: two tabs may each change a part of it. */
const mergeInto = (column: AnyPgColumn, added: object) => sql`${column} || ${JSON.stringify(added)}::jsonb`

export const createPreferencesHandlers = ({ tables, hideableColumns }: CustomizedParts) =>
  implementContract(createPreferencesContract(z.enum(tables, 'There is no such table')), {
    saveColumns: async ({ db, me, query, body }) => {
      const view = body?.view ?? query.view ?? ''
      const hidden = (body?.hidden_columns ?? query.hidden_columns ?? '')
        .split(',')
        .map((key) => key.trim())
        .filter(Boolean)
      const columns = Object.hasOwn(hideableColumns, view) ? hideableColumns[view]!.columns : null
      if (!columns) throw validationError({ view: ['There is no such view'] })
      if (hidden.length > 100 || !hidden.every((key) => columns.includes(key)))
        throw validationError({ hidden_columns: ['The view has no such column'] })
      const added = { [view]: [...new Set(hidden)] }
      await db
        .update(usersTable)
        .set({ hidden_columns: mergeInto(usersTable.hidden_columns, added) })
        .where(eq(usersTable.id, me.id))
      return readCurrentUserDto(db, { ...me, hiddenColumns: { ...me.hiddenColumns, ...added } }, { hideableColumns })
    },

    saveTable: async ({ db, me, body: { table, ...layout } }) => {
      const added = { [table]: layout }
      await db
        .update(usersTable)
        .set({ table_layouts: mergeInto(usersTable.table_layouts, added) })
        .where(eq(usersTable.id, me.id))
      return readCurrentUserDto(db, { ...me, tableLayouts: { ...me.tableLayouts, ...added } }, { hideableColumns })
    },

    endTour: async ({ db, me }) => {
      await db.update(usersTable).set({ saw_tour: true }).where(eq(usersTable.id, me.id))
      return readCurrentUserDto(db, { ...me, sawTour: true }, { hideableColumns })
    },
  })
