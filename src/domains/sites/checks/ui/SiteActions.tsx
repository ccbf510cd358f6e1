import { IconHistory, IconRefresh } from '@tabler/icons-react'
import type { Endpoint } from '#contract/endpoint.ts'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type SiteLogsEndpoint, StatusLogsDialog } from './StatusLogs.tsx'

type SiteRef = { id: number; url: string }
type SiteCheckEndpoint = Endpoint<`POST /${string}/:id/check`>

/** Actions of any site: check it now, and see when it went up and down. */
export function SiteActions({
  site,
  check,
  logs,
}: {
  site: SiteRef
  check: SiteCheckEndpoint
  logs: SiteLogsEndpoint
}) {
  const dialog = useDialog<SiteRef>()
  return (
    <>
      <ActionButton
        call={check}
        input={{ params: { id: site.id } }}
        label="Check now"
        icon={<IconRefresh size={16} aria-hidden="true" />}
      />
      <IconButton label="Logs" onClick={() => dialog.open(site)}>
        <IconHistory size={16} aria-hidden="true" />
      </IconButton>
      {dialog.subject && (
        <StatusLogsDialog call={logs} site={dialog.subject} opened={dialog.opened} onClose={dialog.close} />
      )}
    </>
  )
}
