import { leadsHandlersContract } from '#domains/access/contract.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { StaffScreen } from '#domains/access/ui/People.tsx'
import type { ExplainedRow } from '#domains/ui-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import { toTableSource } from '#ui/table/useArray.ts'

export function LeadsHandlersAccessScreen({ explainedRows }: { explainedRows: readonly ExplainedRow[] }) {
  const list = useApi(leadsHandlersContract.list, undefined, { kept: true })
  return (
    <StaffScreen
      explainedRows={explainedRows}
      title="Leads Handlers Access"
      button="Create New Lead Handler"
      createTitle="Create User"
      editTitle="Update User"
      contract={leadsHandlersContract}
      people={toTableSource(list, list.data?.users)}
      invite={passwordResetContract.inviteHandler}
      describeMove={({ username }) => ({
        label: 'Move to Admins',
        role: `${username} is a leads handler.`,
        details: moveToAdminDetails,
      })}
    />
  )
}

const moveToAdminDetails = [
  'Can see hidden leads, tracking numbers and sources, and edit notes, tags and Verified',
  'Keeps the same pages and campaigns: add more in Admin Access',
  'Is signed out everywhere',
]
