import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { usersTable } from '#domains/access/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { createFirstAdmin } from './first-admin.ts'

const app = await setUp(startApp())

test.each([
  { username: 'Admin', email: 'ann@agency.example' },
  { username: 'ann', email: 'admin@localhost' },
])('a first start says what to do where $username with $email is no super admin', async (names) => {
  const { db } = app.context
  await db.delete(usersTable)
  const user = await app.make.admin(names)
  const before = await app.dump()
  await expect(createFirstAdmin(app.context)).rejects.toThrow(
    `There is an account ${names.username}, but no super admin: npx leadline user grant-super NAME makes one`,
  )
  expect(await app.dump()).toBe(before)
  await db.update(usersTable).set({ role: 'super_admin' }).where(eq(usersTable.id, user.id))
  await createFirstAdmin(app.context)
  expect(await db.$count(usersTable)).toBe(1)
})
