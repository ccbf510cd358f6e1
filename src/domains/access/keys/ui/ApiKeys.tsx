import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { pageTitles } from '#contract/pages.ts'
import { instantCell } from '#ui/cells/instant-cell.tsx'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { RowActions } from '#ui/table/RowActions.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { useArray } from '#ui/table/useArray.ts'
import { getSelectedKeys } from '../../contract.ts'
import { type ApiKey, apiKeysContract } from '../contract.ts'
import { keyAccessTitles } from '../labels.ts'

/** The API keys that the user may revoke. */
export function ApiKeys() {
  const list = useArray(apiKeysContract.list)
  // The time the list opened. For a key that expires while the list is open, the API returns the error.
  const [now] = useState(() => new Date().toISOString())
  const columns: TableColumn<ApiKey>[] = [
    ...keyColumns,
    {
      key: 'expires_at',
      title: 'Expires',
      width: 150,
      cell: ({ expires_at }) => (expires_at < now ? 'Expired' : instantCell(expires_at)),
    },
    {
      key: 'actions',
      title: 'Actions',
      width: 80,
      pinned: 'end',
      cell: ({ id, name }) => (
        <RowActions>
          <ActionButton
            call={apiKeysContract.remove}
            input={{ params: { id } }}
            label="Revoke"
            icon={IconTrash}
            details={[name]}
          />
        </RowActions>
      ),
    },
  ]
  return (
    <>
      <DataTable
        label="API keys"
        list={{ ...list, elsewhere: 'An API key lets another program read or change what its pages allow.' }}
        columns={columns}
      />
      <ListFooter list={list} isBrief />
    </>
  )
}

const keyColumns: TableColumn<ApiKey>[] = [
  { key: 'name', title: 'Name', width: 168, cell: ({ name }) => name },
  {
    key: 'pages',
    title: 'Pages',
    cell: ({ pages }) =>
      getSelectedKeys(pages)
        .map((page) => pageTitles[page])
        .join(', '),
  },
  { key: 'access', title: 'Access', width: 118, cell: ({ access }) => keyAccessTitles[access] },
  { key: 'export', title: 'Export', width: 90, cell: (row) => (row.export ? 'Yes' : 'No') },
  { key: 'user', title: 'Created by', width: 116, cell: ({ user }) => user.username },
  {
    key: 'last_used_at',
    title: 'Last used',
    width: 150,
    cell: ({ last_used_at }) => instantCell(last_used_at),
  },
]
