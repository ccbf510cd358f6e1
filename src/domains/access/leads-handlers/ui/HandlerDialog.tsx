import type { AnswerOf } from '#contract/endpoint.ts'
import { handlers, newerHandler } from '#domains/access/contract.ts'
import { campaignsField, pagesField, useCampaignEntries } from '#domains/access/ui/AccessFields.tsx'
import { accountFields, changeLayout, newAccount, newLayout, ticksInWords } from '#domains/access/ui/AccessForm.tsx'
import { useMe } from '#domains/access/ui/current-user.ts'
import { MoveRole } from '#domains/access/ui/MoveRole.tsx'
import { ApiError } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { password } from '#ui/form/fields.tsx'

type Props = { opened: boolean; onClose: () => void }

export function NewHandler({ opened, onClose }: Props) {
  const { data: pages } = useApi(handlers.pages)
  const entries = useCampaignEntries({})
  return (
    <FormDialog
      title="Create User"
      call={handlers.create}
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
export type HandlerInFull = AnswerOf<typeof handlers.get>

const gained = [
  'They see hidden leads, tracking numbers and sources, and change notes, tags and Verified',
  'No page and no campaign is added: tick those in Admin Access',
  'They are signed out everywhere',
]

export function EditHandler({ handler, opened, onClose }: Props & { handler: HandlerInFull }) {
  const me = useMe()
  const { id, username, has_every_campaign } = handler
  const { data: pages } = useApi(handlers.pages)
  const entries = useCampaignEntries(handler.campaigns)
  const locked =
    has_every_campaign && !me?.isSuperAdmin
      ? 'This leads handler has every campaign: only a super admin changes that.'
      : undefined
  const move = (
    <MoveRole
      id={id}
      call={handlers.move}
      label="Move to Admins"
      role={`${username} is a leads handler.`}
      details={gained}
      onMoved={onClose}
    />
  )
  return (
    <FormDialog
      key={id}
      title={`Update User ${username}`}
      call={handlers.update}
      params={{ id }}
      start={startOf(handler)}
      fields={{
        password: password('Password'),
        pages: pagesField(pages),
        campaigns: campaignsField(entries, locked),
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

const startOf = ({ pages, campaigns, version }: HandlerInFull) => ({ password: '', pages, campaigns, version })

/** The form as somebody else has saved it meanwhile. */
function newerForm(problem: unknown) {
  const found = problem instanceof ApiError ? newerHandler.safeParse(problem.body) : undefined
  return found?.success ? startOf(found.data.newer) : undefined
}
