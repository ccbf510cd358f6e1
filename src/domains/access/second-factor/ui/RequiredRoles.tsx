import { Button } from '@mantine/core'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { toggleControl } from '#ui/form/fields.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { requiredRolesContract } from '../contract.ts'
import { roleLabels } from '../labels.ts'

/** Lets super admins choose which roles must have a second factor. */
export function RequiredRolesButton() {
  const me = useCurrentUser()
  const dialog = useDialog()
  const { data } = useApi(requiredRolesContract.read, undefined, { enabled: dialog.opened })
  if (!requiredRolesContract.read.allow(me)) return null
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        Second factor
      </Button>
      {data && (
        <FormDialog
          title="Who must have a second factor"
          call={requiredRolesContract.save}
          start={data}
          fields={{
            super_admin: toggleControl(roleLabels.super_admin),
            admin: toggleControl(roleLabels.admin),
            leads_handler: toggleControl(roleLabels.leads_handler),
            customer: toggleControl(roleLabels.customer),
          }}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
    </>
  )
}
