import { Button } from '@mantine/core'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { callApi } from '#ui/data/api.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useReadDialog } from '#ui/layout/useReadDialog.ts'
import { requiredRolesContract } from '../contract.ts'
import { roleLabels } from '../labels.ts'

type Roles = ResponseOf<typeof requiredRolesContract.read>

/** Lets super admins choose which roles must have a second factor. */
export function RequiredRolesButton() {
  const me = useCurrentUser()
  const dialog = useReadDialog<Roles>()
  if (!requiredRolesContract.read.allow(me)) return null
  return (
    <>
      <Button variant="default" onClick={() => void dialog.read(() => callApi(requiredRolesContract.read))}>
        Second factor
      </Button>
      {dialog.subject && (
        <FormDialog
          title="Who must have a second factor"
          call={requiredRolesContract.save}
          start={withSeen(dialog.subject)}
          fields={({ toggleControl }) => ({
            super_admin: toggleControl(roleLabels.super_admin),
            admin: toggleControl(roleLabels.admin),
            leads_handler: toggleControl(roleLabels.leads_handler),
            customer: toggleControl(roleLabels.customer),
            seen: () => null, // sent as read, so that newer choices are not overwritten
          })}
          conflict={{ read: withSeen, shown: (_, value) => (value ? 'Yes' : 'No') }}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
    </>
  )
}

const withSeen = (roles: Roles) => ({ ...roles, seen: roles })
