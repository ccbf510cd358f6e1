import { handlerFlags } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import { adminsContract, getSelectedKeys, staffMemberSchema } from '#domains/access/contract.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import type { EditableAccount } from '#domains/access/ui/EditAccountDialog.tsx'
import { StaffScreen } from '#domains/access/ui/People.tsx'
import type { ExplainedRow } from '#domains/ui-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { toTableSource } from '#ui/table/useArray.ts'

export function AdminAccessScreen({ explainedRows }: { explainedRows: readonly ExplainedRow[] }) {
  const list = useApi(adminsContract.list, undefined, { kept: true })
  // Anyone who may see this page gets its rows in full.
  const rows =
    list.data &&
    Object.values(list.data.admins)
      .map((row) => staffMemberSchema.parse(row))
      .toSorted((a, b) => a.username.localeCompare(b.username)) // the map is ordered by id
  return (
    <StaffScreen
      explainedRows={explainedRows}
      title="Admin Access"
      button="Create New Admin"
      createTitle="Create New Admin"
      editTitle="Update Admin"
      contract={adminsContract}
      people={toTableSource(list, rows)}
      invite={passwordResetContract.inviteAdmin}
      describeMove={describeMove}
    />
  )
}

function describeMove({ username, pages }: EditableAccount) {
  const lost = getSelectedKeys(pages).filter((page) => !handlerFlags.some((one) => one === page))
  return {
    label: 'Move to Leads Handlers',
    role: `${username} is an admin.`,
    details: [
      ...(lost.length > 0 ? [`Loses these pages: ${lost.map((page) => pageTitles[page]).join(', ')}`] : []),
      `Keeps ${lost.length > 0 ? 'all campaigns' : 'all pages and campaigns'}; can no longer edit notes, tags, Verified or see hidden leads`,
      'Is signed out everywhere',
    ],
  }
}
