import { Button } from '@mantine/core'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { textareaControl } from '#ui/form/fields.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { spamContract } from '../contract.ts'

const blacklistFields = {
  keywords: textareaControl('Keywords', {
    rows: 18,
    hint: 'One a line. A lead with one of them is tagged BLSpam and hidden.',
  }),
  version: () => null, // sent as it was read, so that nobody saves over a newer list
}

/** The words that mark a lead as spam, in one text. */
export function BlacklistButton() {
  const dialog = useDialog()
  const list = useApi(spamContract.keywords, undefined, { enabled: dialog.opened })
  if (!spamContract.saveKeywords.allow(useCurrentUser())) return null
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Blacklist
      </Button>
      {list.data && (
        <FormDialog
          // A newer list is a new form: what was typed over an older one is not mixed into it.
          key={list.data.version}
          title="Blacklist"
          call={spamContract.saveKeywords}
          start={{ keywords: list.data.keywords.map((item) => item.keyword).join('\n'), version: list.data.version }}
          fields={blacklistFields}
          opened={dialog.opened && !list.isPending}
          onClose={dialog.close}
          size="lg"
        />
      )}
    </>
  )
}
