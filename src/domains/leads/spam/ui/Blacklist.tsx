import { Button } from '@mantine/core'
import { useMe } from '#domains/access/ui/current-user.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { textarea } from '#ui/form/fields.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { spam } from '../contract.ts'

const fields = {
  keywords: textarea('Keywords', {
    rows: 18,
    hint: 'One a line. A lead with one of them is tagged BLSpam and hidden.',
  }),
  version: () => null, // sent as it was read, so that nobody saves over a newer list
}

/** The words that mark a lead as spam, in one text. */
export function Blacklist() {
  const dialog = useDialog()
  const list = useApi(spam.keywords, undefined, { enabled: dialog.opened })
  if (!spam.saveKeywords.allow(useMe())) return null
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
          call={spam.saveKeywords}
          start={{ keywords: list.data.keywords.map((item) => item.keyword).join('\n'), version: list.data.version }}
          fields={fields}
          opened={dialog.opened && !list.isPending}
          onClose={dialog.close}
          size="lg"
        />
      )}
    </>
  )
}
