import { Button } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import type { Endpoint } from '#contract/endpoint.ts'
import { useAction } from '#ui/data/useAction.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { describeSiteCheck, type SiteCheckResult } from '../contract.ts'
import { type SiteLogsEndpoint, StatusLogsDialog } from './StatusLogs.tsx'

type SiteRef = { id: number; url: string }
type SiteCheckEndpoint = Endpoint<`POST /${string}/:id/check`> & {
  success: string
  response: { _zod: { output: SiteCheckResult } }
}

/** The actions of a site: check it now, and show its status log. */
export function SiteActions({
  site,
  check,
  logs,
  isLabeled,
}: {
  site: SiteRef
  check: SiteCheckEndpoint
  logs: SiteLogsEndpoint
  /** On a page of its own, where there is room for words instead of icons. */
  isLabeled?: boolean
}) {
  const dialog = useDialog<SiteRef>()
  const { run, running } = useAction<SiteCheckEndpoint>(check, {
    success: (found) => `${check.success}: ${describeSiteCheck(found)}`,
  })
  const checkNow = () => void run({ params: { id: site.id } })
  if (isLabeled)
    return (
      <Button variant="default" loading={running} onClick={checkNow}>
        Check now
      </Button>
    )
  return (
    <>
      <IconButton label="Check now" icon={IconRefresh} loading={running} onClick={checkNow} />
      <IconButton label="Logs" icon={IconHistory} onClick={() => dialog.open(site)} />
      {dialog.subject && (
        <StatusLogsDialog call={logs} site={dialog.subject} opened={dialog.opened} onClose={dialog.close} />
      )}
    </>
  )
}
