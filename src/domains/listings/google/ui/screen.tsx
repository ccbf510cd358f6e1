import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useAction } from '#ui/data/useAction.ts'
import { refreshQueries, useApi } from '#ui/data/useApi.ts'
import { usePolling } from '#ui/data/usePolling.ts'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type GoogleAccount, type GoogleLocation, googleLocationsContract } from '../contract.ts'
import { locationFilters } from '../fields.ts'
import { canEditLocation, EditLocationDialog } from './EditLocation.tsx'
import { AccountsDialog } from './GoogleAccounts.tsx'
import { getLocationTint, locationColumns } from './LocationColumns.tsx'
import { ConnectionNotices } from './LocationNotices.tsx'
import { useOAuthCallback } from './useOAuthCallback.ts'

const pollIntervalMs = 2000

export default function GmbManagerScreen() {
  const { isOver: enabled, hasLinked } = useOAuthCallback()
  const list = useList(googleLocationsContract.list, { hold: true, enabled })
  const accounts = useApi(googleLocationsContract.accounts, undefined, { quiet: true, enabled })
  const connection = useApi(googleLocationsContract.connection, undefined, { quiet: true, enabled })
  const sync = useAction(googleLocationsContract.sync)
  const managing = useDialog()
  const editing = useDialog<GoogleLocation>()
  const isSyncing = accounts.data?.some(({ syncing }) => syncing) ?? false
  const waits = list.rows?.some(({ edit }) => edit?.state === 'waiting') ?? false
  usePolling(isSyncing || waits, pollIntervalMs, () => void refreshQueries(googleLocationsContract.list.reads))
  useReloadAfterSync(accounts.data, hasLinked, list.retry)

  const choices = (accounts.data ?? []).map(({ id, email }) => ({ value: id, label: email }))
  return (
    <>
      <ListScreen
        table="gmb-manager"
        title="GMB Manager"
        list={list}
        filters={buildFilterControls(locationFilters, { account_id: choices })}
        columns={locationColumns}
        notice={<ConnectionNotices accounts={accounts} connection={connection} />}
        buttons={
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
        tint={getLocationTint}
        onOpen={(location) => canEditLocation(location) && editing.open(location)}
      />
      {managing.opened && (
        <AccountsDialog accounts={accounts.data} connection={connection.data} onClose={managing.close} />
      )}
      {editing.opened && editing.subject && <EditLocationDialog location={editing.subject} onClose={editing.close} />}
    </>
  )
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
