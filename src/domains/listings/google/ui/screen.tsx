import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { checkFilter, FilterBar, SearchFilter, selectFilter } from '#ui/filters/filters.tsx'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type GoogleAccount, type GoogleLocation, googleLocationsContract } from '../contract.ts'
import { verificationStatuses, verificationStatusLabels } from '../labels.ts'
import { canEditLocation, EditLocationDialog } from './EditLocation.tsx'
import { AccountsDialog } from './GoogleAccounts.tsx'
import { getLocationTint, locationColumns } from './LocationColumns.tsx'
import { ConnectionNotices } from './LocationNotices.tsx'
import { useOAuthCallback } from './useConsentReturn.ts'

const statusOptions = verificationStatuses.map((value) => ({ value, label: verificationStatusLabels[value] }))

export default function GmbManagerScreen() {
  const { isOver: enabled, hasLinked } = useOAuthCallback()
  const list = useList(googleLocationsContract.list, { hold: true, enabled })
  const { data: accounts } = useApi(googleLocationsContract.accounts, undefined, { quiet: true, enabled })
  const { data: connection } = useApi(googleLocationsContract.connection, undefined, { quiet: true, enabled })
  const sync = useAction(googleLocationsContract.sync)
  const managing = useDialog()
  const editing = useDialog<GoogleLocation>()
  const isSyncing = accounts?.some(({ syncing }) => syncing) ?? false
  const waits = list.rows?.some(({ edit }) => edit?.state === 'waiting') ?? false
  useLocationPolling(isSyncing || waits)
  useReloadAfterSync(accounts, hasLinked, list.retry)

  const choices = (accounts ?? []).map(({ id, email }) => ({ value: id, label: email }))
  return (
    <ScreenFrame
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
      <ConnectionNotices accounts={accounts} connection={connection} />
      <FilterBar list={list}>
        <SearchFilter label="Search by Title, Address or Category" {...list.filter('search')} />
        {selectFilter('Account', choices)(list.filter('account_id'))}
        {selectFilter('Standing', statusOptions)(list.filter('standing'))}
        {checkFilter('Pending edits')(list.filter('pending'))}
        {checkFilter('Needs re-link')(list.filter('needs_relink'))}
        {checkFilter('Gone from Google')(list.filter('vanished'))}
      </FilterBar>
      <DataTable
        table="gmb-manager"
        label="GMB Manager"
        list={list}
        columns={locationColumns}
        tint={getLocationTint}
        onOpen={(location) => canEditLocation(location) && editing.open(location)}
      />
      <ListFooter table="gmb-manager" list={list} />
      {managing.opened && <AccountsDialog accounts={accounts} connection={connection} onClose={managing.close} />}
      {editing.opened && editing.subject && <EditLocationDialog location={editing.subject} onClose={editing.close} />}
    </ScreenFrame>
  )
}

/** Milliseconds. */
const pollIntervalMs = 2000

/** Polls while a sync or an edit is under way. */
function useLocationPolling(busy: boolean) {
  useEffect(() => {
    if (!busy) return
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void refreshQueries([googleLocationsContract.list])
    }, pollIntervalMs)
    return () => window.clearInterval(timer)
  }, [busy])
}

/** Reloads the list after a sync, even one that ended before this page saw it start. */
function useReloadAfterSync(accounts: readonly GoogleAccount[] | undefined, hasLinked: boolean, retry: () => void) {
  const isSyncing = accounts?.some(({ syncing }) => syncing)
  const state = isSyncing ? 'syncing' : accounts?.map(({ id, synced_at }) => `${id} ${synced_at}`).join()
  const was = useRef(state)
  useEffect(() => {
    if (state === undefined || state === was.current) return
    if ((was.current !== undefined || hasLinked) && state !== 'syncing') retry()
    was.current = state
  }, [state, hasLinked, retry])
}
