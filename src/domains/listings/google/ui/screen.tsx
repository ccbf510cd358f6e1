import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { readAgain, useApi } from '#ui/data/useApi.ts'
import { check, FilterBar, SearchFilter, select } from '#ui/filters/filters.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type GoogleAccount, type GoogleLocation, googleLocations } from '../contract.ts'
import { standingNames, standings } from '../labels.ts'
import { EditLocation, mayEdit } from './EditLocation.tsx'
import { Accounts } from './GoogleAccounts.tsx'
import { columns, tint } from './LocationColumns.tsx'
import { Notices } from './LocationNotices.tsx'
import { useArrival } from './useConsentReturn.ts'

const standingChoices = standings.map((value) => ({ value, label: standingNames[value] }))

export default function GmbManager() {
  const enabled = useArrival()
  const list = useList(googleLocations.list, { hold: true, enabled })
  const { data: accounts } = useApi(googleLocations.accounts, undefined, { quiet: true, enabled })
  const { data: connection } = useApi(googleLocations.connection, undefined, { quiet: true, enabled })
  const sync = useAction(googleLocations.sync)
  const managing = useDialog()
  const editing = useDialog<GoogleLocation>()
  const isSyncing = accounts?.some(({ syncing }) => syncing) ?? false
  const waits = list.rows?.some(({ edit }) => edit?.state === 'waiting') ?? false
  useFreshWhile(isSyncing || waits)
  useRowsOfTheLastSync(accounts, list.retry)

  const choices = (accounts ?? []).map(({ id, email }) => ({ value: id, label: email }))
  return (
    <Screen
      title="GMB Manager"
      actions={
        <>
          <Button
            variant="default"
            loading={sync.running || isSyncing}
            disabled={choices.length === 0}
            onClick={() => void sync.run()}
          >
            Sync now
          </Button>
          <Button onClick={() => managing.open(undefined)}>Manage Accounts</Button>
        </>
      }
    >
      <Notices accounts={accounts} connection={connection} />
      <FilterBar list={list}>
        <SearchFilter label="Search by Title, Address or Category" {...list.filter('search')} />
        {select('Account', choices)(list.filter('account_id'))}
        {select('Standing', standingChoices)(list.filter('standing'))}
        {check('Pending edits')(list.filter('pending'))}
        {check('Needs re-link')(list.filter('needs_relink'))}
        {check('Gone from Google')(list.filter('vanished'))}
      </FilterBar>
      <DataTable
        table="gmb-manager"
        label="GMB Manager"
        list={list}
        columns={columns}
        tint={tint}
        onOpen={(location) => mayEdit(location) && editing.open(location)}
      />
      <ListFooter table="gmb-manager" list={list} />
      {managing.opened && <Accounts accounts={accounts} connection={connection} onClose={managing.close} />}
      {editing.opened && editing.subject && <EditLocation location={editing.subject} onClose={editing.close} />}
    </Screen>
  )
}

/** Milliseconds: a page of Google's takes about one. */
const pace = 2000

/** Looks again while something is under way. */
function useFreshWhile(busy: boolean) {
  useEffect(() => {
    if (!busy) return
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void readAgain([googleLocations.list])
    }, pace)
    return () => window.clearInterval(timer)
  }, [busy])
}

/** Rows come and go only when the accounts have been read anew, which may be over before anybody saw it begin. */
function useRowsOfTheLastSync(accounts: readonly GoogleAccount[] | undefined, retry: () => void) {
  const isSyncing = accounts?.some(({ syncing }) => syncing)
  const state = isSyncing ? 'syncing' : accounts?.map(({ id, synced_at }) => `${id} ${synced_at}`).join()
  const was = useRef(state)
  useEffect(() => {
    if (state === undefined || state === was.current) return
    if (was.current !== undefined && state !== 'syncing') retry()
    was.current = state
  }, [state, retry])
}
