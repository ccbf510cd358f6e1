import { Button } from '@mantine/core'
import { getEmptyForm } from '#contract/field-definitions.ts'
import { renderExpiry, renderSiteStatus } from '#domains/sites/checks/ui/site-cells.tsx'
import { renderBadge, renderExternalLink } from '#ui/cells/cells.tsx'
import { useParamAliases } from '#ui/data/useParamAliases.ts'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import type { ControlSet } from '#ui/form/control-set.ts'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { type RedirectDomain, redirectDomainsContract } from '../contract.ts'
import { redirectDomainFields, redirectDomainFilters } from '../fields.ts'
import { RedirectTaskList } from './RedirectTasks.tsx'

const redirectDomainColumns = buildFieldColumns(redirectDomainFields, {
  domain: { pinned: 'start', width: 192, cell: renderDomainCell, plain: ({ domain }) => domain },
  redirect_url: { width: 192 },
  live_status: { width: 90, cell: ({ live_status }) => renderSiteStatus({ status: live_status }) },
  registrar: { width: 138 },
  registrant: { width: 118 },
  registration: { width: 120 },
  expiration: { width: 130, cell: ({ expiration }) => renderExpiry(expiration) },
  nameserver_1: { width: 216 },
  nameserver_2: { width: 216 },
})

function renderDomainCell({ domain: name, problem }: RedirectDomain) {
  return (
    <>
      {renderExternalLink(`http://${name}/`, name)}
      {problem && <span title={problem}>{renderBadge('bad', 'Not removed')}</span>}
    </>
  )
}

const redirectDomainControls = ({ buildFieldControls, textControl }: ControlSet) =>
  buildFieldControls(redirectDomainFields, {
    domain: textControl(redirectDomainFields.domain.label, { placeholder: 'example.com' }),
    redirect_url: textControl(redirectDomainFields.redirect_url.label, { placeholder: 'https://' }),
  })

export default function RedirectDomainsScreen() {
  const arrived = useParamAliases({ url: 'q' })
  const list = useList(redirectDomainsContract.list, { enabled: arrived })
  const adding = useDialog()
  return (
    <>
      <ListScreen
        table="redirect-domains"
        title="301 Domains List"
        list={list}
        filters={buildFilterControls(redirectDomainFilters)}
        columns={redirectDomainColumns}
        buttons={
          <>
            <ExportButton call={redirectDomainsContract.csv} input={{ query: getExportQuery(list) }} />
            <Button onClick={() => adding.open(undefined)}>Add 301 domain</Button>
          </>
        }
        notice={<RedirectTaskList />}
        remove={{
          call: redirectDomainsContract.remove,
          details: ({ domain, redirect_url }) => [`${domain} → ${redirect_url}`],
        }}
      />
      <FormDialog
        title="cPanel Addon Domains Tool"
        call={redirectDomainsContract.create}
        start={getEmptyForm(redirectDomainFields)}
        fields={redirectDomainControls}
        opened={adding.opened}
        onClose={adding.close}
      />
    </>
  )
}
