import { expect, test } from 'vitest'
import { handlerFlags, type PermissionFlag } from '#contract/allow.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { type Signal, signalsContract } from '../contract.ts'
import type { SignalKind } from '../labels.ts'
import { signalsTable } from '../schema.ts'
import { kindRules } from './kind-rights.ts'

const app = await setUp(startApp())

test('a signal with what only some pages show, such as notes or a client’s name and addresses, is for those with such a page [TODAY-02]', async () => {
  const { id: campaign_id } = await app.make.campaign()
  const pages: Partial<Record<SignalKind, PermissionFlag[]>> = {
    behind_target: ['leadChart', 'campaigns'],
    cap_reached: ['campaigns'],
    statement_refused: ['campaigns'],
    report_refused: ['clients'],
    mail_refused: ['leads', 'archivedleads'],
    task_overdue: ['changelog', 'activityLog'],
  }
  const kinds = Object.keys(pages) as SignalKind[] // its keys
  expect(kinds.sort(), 'Each kind with a rule has its pages above').toEqual(Object.keys(kindRules).sort())
  const made = await app.context.db
    .insert(signalsTable)
    .values(
      [...kinds, 'site_offline' as const].map((kind) => ({
        ...{ kind, detected_kind: kind, severity: 'note' as const, title: kind, campaign_id },
        ...{ subject_type: 'campaign' as const, subject_id: kind, subject_label: kind, evidence: { says: kind } },
      })),
    )
    .returning({ id: signalsTable.id, kind: signalsTable.kind })
  const kindsOf = async (who: Caller) => {
    const { body } = await who.call(signalsContract.list, { query: { per_page: 200 } })
    const listed = body.data.map(({ kind }: Signal) => kind).sort()
    expect(body.total).toBe(listed.length)
    for (const { id, kind } of made)
      expect((await who.call(signalsContract.read, { params: { id } })).status).toBe(listed.includes(kind) ? 200 : 404)
    return listed
  }
  const handler = await app.make.handler({ campaigns: [campaign_id], permissions: [...handlerFlags] })
  expect(await kindsOf(await app.as(handler))).toEqual(['site_offline'])
  const allPages = [...new Set(Object.values(pages).flat())]
  for (const page of [null, ...allPages]) {
    const permissions = ['dashboard' as const, ...(page ? [page] : [])]
    const admin = await app.as(await app.make.admin({ campaigns: [campaign_id], permissions }))
    const theirs = kinds.filter((kind) => page && pages[kind]!.includes(page))
    expect(await kindsOf(admin), page ?? 'no page').toEqual(['site_offline', ...theirs].sort())
  }
})
