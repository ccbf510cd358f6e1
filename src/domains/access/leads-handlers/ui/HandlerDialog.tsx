import type { ResponseOf } from '#contract/endpoint.ts'
import { leadsHandlersContract } from '#domains/access/contract.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { InviteSection } from '#domains/access/password-reset/ui/InviteSection.tsx'
import { campaignsField, pagesField, useCampaignEntries } from '#domains/access/ui/AccessFields.tsx'
import { createEditAccountLayout, createSelectionFormatter } from '#domains/access/ui/AccessForm.tsx'
import { useCurrentUser } from '#domains/access/ui/current-user.ts'
import { MoveRoleSection } from '#domains/access/ui/MoveRole.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { passwordControl } from '#ui/form/fields.tsx'

/** As read when the dialog was opened. */
export type HandlerDetails = ResponseOf<typeof leadsHandlersContract.get>

const moveToAdminDetails = [
  'They see hidden leads, tracking numbers and sources, and change notes, tags and Verified',
  'No page and no campaign is added: tick those in Admin Access',
  'They are signed out everywhere',
]

type EditHandlerDialogProps = { handler: HandlerDetails; opened: boolean; onClose: () => void }

export function EditHandlerDialog({ handler, opened, onClose }: EditHandlerDialogProps) {
  const me = useCurrentUser()
  const { id, username, has_every_campaign } = handler
  const { data: pages } = useApi(leadsHandlersContract.pages)
  const entries = useCampaignEntries(handler.campaigns)
  const locked =
    has_every_campaign && !me?.isSuperAdmin
      ? 'This leads handler has every campaign: only a super admin changes that.'
      : undefined
  const move = (
    <MoveRoleSection
      id={id}
      call={leadsHandlersContract.move}
      label="Move to Admins"
      role={`${username} is a leads handler.`}
      details={moveToAdminDetails}
      onMoved={onClose}
    />
  )
  return (
    <FormDialog
      key={id}
      title={`Update User ${username}`}
      call={leadsHandlersContract.update}
      params={{ id }}
      start={toHandlerFormValues(handler)}
      fields={{
        password: passwordControl('Password'),
        pages: pagesField(pages),
        campaigns: campaignsField(entries, locked),
        version: () => null, // sent as read, so that newer rights are not overwritten
      }}
      conflict={{ read: toHandlerFormValues, shown: createSelectionFormatter(entries ?? []) }}
      layout={createEditAccountLayout(
        <>
          <InviteSection id={id} call={passwordResetContract.inviteHandler} />
          {move}
        </>,
      )}
      size="xl"
      opened={opened}
      onClose={onClose}
    />
  )
}

const toHandlerFormValues = ({ pages, campaigns, version }: HandlerDetails) => ({
  password: '',
  pages,
  campaigns,
  version,
})
