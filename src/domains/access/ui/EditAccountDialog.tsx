import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { pageTitles } from '#contract/pages.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import grid from '#ui/form/field-grid.module.css'
import { useIsOpen } from '#ui/layout/useIsOpen.ts'
import text from '#ui/theme/text.module.css'
import type { adminsContract, leadsHandlersContract, StaffMember } from '../contract.ts'
import type { passwordResetContract } from '../password-reset/contract.ts'
import { InviteSection } from '../password-reset/ui/InviteSection.tsx'
import { campaignsField, pagesField, useCampaignEntries } from './AccessFields.tsx'
import type { CheckListEntry, SelectionMap } from './CheckList.tsx'
import { useCurrentUser } from './current-user.ts'
import classes from './People.module.css'

/** Which accounts a page manages: admins or leads handlers. */
export type StaffContract = typeof adminsContract | typeof leadsHandlersContract
type AccountDetails = ResponseOf<StaffContract['get']>
export type EditableAccount = ReturnType<typeof readAccount> & Pick<StaffMember, 'may_change'>

/** Reads both shapes of an account's details. */
export const readAccount = (details: AccountDetails) =>
  'admin' in details
    ? {
        ...details.admin,
        pages: details.permissions,
        campaigns: details.campaignsPermissions,
        has_every_campaign: false,
      }
    : details

export type StaffRoleTexts = {
  editTitle: string
  invite: typeof passwordResetContract.inviteAdmin | typeof passwordResetContract.inviteHandler
  /** The button that moves an account to the other role, what the account is now, and what the move takes away or grants. */
  describeMove: (account: EditableAccount) => { label: string; role: string; details: readonly string[] }
}

type EditAccountDialogProps = StaffRoleTexts & {
  contract: StaffContract
  /** As read when the dialog was opened. */
  account: EditableAccount
  opened: boolean
  onClose: () => void
}

/** Edits an admin or a leads handler. */
export function EditAccountDialog(props: EditAccountDialogProps) {
  const { contract, account, editTitle, invite, describeMove, opened, onClose } = props
  const { id, username, has_every_campaign, may_change } = account
  const me = useCurrentUser()
  const { data: pages } = useApi(contract.pages)
  const entries = useCampaignEntries(account.campaigns)
  const locked =
    has_every_campaign && !me?.isSuperAdmin
      ? 'Only a super admin can change a handler who has all campaigns.'
      : undefined
  return (
    <FormDialog
      key={id}
      title={`${editTitle} ${username}`}
      call={contract.update}
      params={{ id }}
      start={toFormValues(account)}
      fields={({ passwordControl }) => ({
        password: passwordControl('Password'),
        pages: pagesField(pages),
        campaigns: campaignsField(entries, locked),
      })}
      conflict={{ read: (newer) => toFormValues(readAccount(newer)), shown: createSelectionFormatter(entries ?? []) }}
      layout={(shown) => (
        <AccountFields {...shown} password={may_change && shown.password}>
          {may_change && (
            <>
              <InviteSection id={id} call={invite} />
              <MoveRoleSection id={id} call={contract.move} {...describeMove(account)} onMoved={onClose} />
            </>
          )}
        </AccountFields>
      )}
      size="xl"
      opened={opened}
      onClose={onClose}
    />
  )
}

const toFormValues = ({ pages, campaigns, version }: ReturnType<typeof readAccount>) => ({
  password: '',
  pages,
  campaigns,
  version,
})

type AccountFieldsProps = { password: ReactNode; pages: ReactNode; campaigns: ReactNode; children: ReactNode }

const AccountFields = ({ password, pages, campaigns, children }: AccountFieldsProps) => (
  <div className={grid.fields}>
    {password && <div data-wide>{password}</div>}
    {pages}
    {campaigns}
    {children}
  </div>
)

/** Formats what someone else has ticked in the meantime. */
const createSelectionFormatter = (campaigns: readonly CheckListEntry[]) => (name: string, value: unknown) => {
  const ticked = Object.keys((value ?? {}) as SelectionMap) // the form's other fields are selection maps
  const titles: Record<string, string> =
    name === 'pages' ? pageTitles : Object.fromEntries(campaigns.map(({ key, title }) => [key, title]))
  return ticked.map((key) => titles[key] ?? key).join(', ') || null
}

type MoveRoleProps = {
  id: number
  call: typeof adminsContract.move | typeof leadsHandlersContract.move
  label: string
  /** The current role. */
  role: string
  /** What the move takes away or grants. */
  details: readonly string[]
  onMoved: () => void
}

/** Shows a person's role, with a button to move them to the other one. */
function MoveRoleSection({ id, call, label, role, details, onMoved }: MoveRoleProps) {
  const me = useCurrentUser()
  const { run, running } = useAction(call, { details })
  const isOpen = useIsOpen()
  if (!call.allow(me)) return null
  async function move() {
    const outcome = await run({ params: { id } })
    if (outcome.done && isOpen()) onMoved()
  }
  return (
    <div className={classes.role}>
      <p className={text.quiet}>{role}</p>
      <Button variant="default" loading={running} onClick={() => void move()}>
        {label}
      </Button>
    </div>
  )
}
