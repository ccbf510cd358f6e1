import { handlerFlags } from '#contract/allow.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { pageTitles } from '#contract/pages.ts'
import { admins, newerAdmin, ticked } from '#domains/access/contract.ts'
import { campaignsField, pagesField, useCampaignEntries } from '#domains/access/ui/AccessFields.tsx'
import { accountFields, changeLayout, newAccount, newLayout, ticksInWords } from '#domains/access/ui/AccessForm.tsx'
import { MoveRole } from '#domains/access/ui/MoveRole.tsx'
import { ApiError } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { password } from '#ui/form/fields.tsx'

type Props = { opened: boolean; onClose: () => void }

export function NewAdmin({ opened, onClose }: Props) {
  const { data: pages } = useApi(admins.pages)
  const entries = useCampaignEntries({})
  return (
    <FormDialog
      title="Create New Admin"
      call={admins.create}
      start={newAccount}
      fields={{ ...accountFields, pages: pagesField(pages), campaigns: campaignsField(entries) }}
      layout={newLayout}
      size="xl"
      opened={opened}
      onClose={onClose}
    />
  )
}

/** As read when the dialog was opened. */
export type AdminInFull = AnswerOf<typeof admins.get>

export function EditAdmin({ admin: read, opened, onClose }: Props & { admin: AdminInFull }) {
  const { admin, permissions, campaignsPermissions } = read
  const { data: pages } = useApi(admins.pages)
  const entries = useCampaignEntries(campaignsPermissions)
  const lost = ticked(permissions).filter((page) => !handlerFlags.some((one) => one === page))
  const details = [
    lost.length > 0
      ? `These pages are taken away: ${lost.map((page) => pageTitles[page]).join(', ')}`
      : 'No page is taken away',
    'Notes, tags, Verified and hidden leads are no longer theirs to change; the campaigns stay',
    'They are signed out everywhere',
  ]
  const move = (
    <MoveRole
      id={admin.id}
      call={admins.move}
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
      call={admins.update}
      params={{ id: admin.id }}
      start={startOf(read)}
      fields={{
        password: password('Password'),
        pages: pagesField(pages),
        campaigns: campaignsField(entries),
        version: () => null, // sent as it was read, so that nobody saves over newer rights
      }}
      newer={{ read: newerForm, shown: ticksInWords(entries) }}
      layout={changeLayout(move)}
      size="xl"
      opened={opened}
      onClose={onClose}
    />
  )
}

const startOf = ({ admin, permissions, campaignsPermissions }: AdminInFull) => ({
  password: '',
  pages: permissions,
  campaigns: campaignsPermissions,
  version: admin.version,
})

/** The form as somebody else has saved it meanwhile. */
function newerForm(problem: unknown) {
  const found = problem instanceof ApiError ? newerAdmin.safeParse(problem.body) : undefined
  return found?.success ? startOf(found.data.newer) : undefined
}
