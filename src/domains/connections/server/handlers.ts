import { implementContract } from '#domains/app-context.ts'
import type { DeclaredParts } from '#domains/server-part.ts'
import { connectionsContract } from '../contract.ts'
import { addConnection, prepareChange, prepareConnection, removeConnection, updateConnection } from './mutations.ts'
import { readConnection, readConnections } from './queries.ts'
import { testConnection } from './test-connection.ts'

export const buildConnectionsHandlers = ({ connectionUses }: DeclaredParts) =>
  implementContract(connectionsContract, {
    list: ({ db, context }) => readConnections(db, context),

    create: async ({ db, body, context, actor }) => {
      const prepared = await prepareConnection(context, body)
      return db.transaction(async (tx) => {
        const id = await addConnection(tx, { context, actor }, body, prepared)
        return readConnection(tx, context, id)
      })
    },

    get: ({ db, params, context }) => readConnection(db, context, params.id),

    update: async ({ db, params, body, context, actor }) => {
      const change = await prepareChange(context, body)
      return db.transaction(async (tx) => {
        await updateConnection(tx, { context, actor }, params.id, change)
        return readConnection(tx, context, params.id)
      })
    },

    remove: ({ db, params, context, actor }) =>
      db.transaction((tx) => removeConnection(tx, { context, actor }, connectionUses, params.id)),

    test: ({ params, context }) => testConnection(context, params.id),
  })
