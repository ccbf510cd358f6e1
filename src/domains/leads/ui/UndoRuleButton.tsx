import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type SpamRule, spamContract } from '../spam/contract.ts'

const UndoRule = lazyComponent(async () => ({ default: (await import('../spam/ui/UndoRule.tsx')).UndoRule }))

/** Restores the leads that a spam rule hid. Not shown for a rule removed since then, which has nothing to restore here. */
export function UndoRuleButton({ ruleId }: { ruleId: number | null }) {
  const me = useCurrentUser()
  const dialog = useDialog<SpamRule>()
  const isAllowed = ruleId !== null && me !== null && me !== undefined && spamContract.undoRule.allow(me)
  const { data: rules } = useApi(spamContract.rules, undefined, { enabled: isAllowed })
  const rule = rules?.find(({ id }) => id === ruleId)
  if (!isAllowed || !rule) return null
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => dialog.open(rule)}>
        Undo the rule
      </Button>
      {dialog.subject && (
        <Suspense>
          <UndoRule dialog={dialog} />
        </Suspense>
      )}
    </>
  )
}
