import { handlerFlags } from '#contract/allow.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { pageTitles } from '#contract/pages.ts'
import { adminsContract, getSelectedKeys } from '#domains/access/contract.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { InviteSection } from '#domains/access/password-reset/ui/InviteSection.tsx'
import { campaignsField, pagesField, useCampaignEntries } from '#domains/access/ui/AccessFields.tsx'
import { createEditAccountLayout, createSelectionFormatter } from '#domains/access/ui/AccessForm.tsx'
import { MoveRoleSection } from '#domains/access/ui/MoveRole.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { passwordControl } from '#ui/form/fields.tsx'

/** As read when the dialog was opened. */
export type AdminDetails = ResponseOf<typeof adminsContract.get>

type EditAdminDialogProps = { admin: AdminDetails; opened: boolean; onClose: () => void }

export function EditAdminDialog({ admin: read, opened, onClose }: EditAdminDialogProps) {
  const { admin, permissions, campaignsPermissions } = read
  const { data: pages } = useApi(adminsContract.pages)
  const entries = useCampaignEntries(campaignsPermissions)
  const lost = getSelectedKeys(permissions).filter((page) => !handlerFlags.some((one) => one === page))
  const details = [
    lost.length > 0
      ? `These pages are taken away: ${lost.map((page) => pageTitles[page]).join(', ')}`
      : 'No page is taken away',
    'Notes, tags, Verified and hidden leads are no longer theirs to change; the campaigns stay',
    'They are signed out everywhere',
  ]
  const move = (
    <MoveRoleSection
      id={admin.id}
      call={adminsContract.move}
      label="Move to Leads Handlers"
      role={`${admin.username} is an admin.`}
      details={details}
      onMoved={onClose}
    />
  )
  return (
    <FormDialog
      key={admin.id}
      title={`Update Admin ${admin.username}`}
      call={adminsContract.update}
      params={{ id: admin.id }}
      start={toAdminFormValues(read)}
      fields={{
        password: passwordControl('Password'),
        pages: pagesField(pages),
        campaigns: campaignsField(entries),
        version: () => null, // sent as read, so that newer rights are not overwritten
      }}
      conflict={{ read: toAdminFormValues, shown: createSelectionFormatter(entries ?? []) }}
      layout={createEditAccountLayout(
        <>
          <InviteSection id={admin.id} call={passwordResetContract.inviteAdmin} />
          {move}
        </>,
      )}
      size="xl"
      opened={opened}
      onClose={onClose}
    />
  )
}

const toAdminFormValues = ({ admin, permissions, campaignsPermissions }: AdminDetails) => ({
  password: '',
  pages: permissions,
  campaigns: campaignsPermissions,
  version: admin.version,
})
