import { Button } from '@mantine/core'
import { expiry, shortAddress, status } from '#domains/sites/checks/ui/site-cells.tsx'
import { badge, clipped, date, external } from '#ui/cells/cells.tsx'
import { useRouteParams } from '#ui/data/useRouteParams.ts'
import { search } from '#ui/filters/filters.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { text as textField } from '#ui/form/fields.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import type { Column } from '#ui/table/DataTable.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type RedirectDomain, redirectDomains } from '../contract.ts'
import { columnTitles as titles } from '../labels.ts'
import { Steps } from './Steps.tsx'

const columns: Column<RedirectDomain, SortOf<typeof redirectDomains.list>>[] = [
  {
    key: 'domain',
    title: titles.domain,
    sort: 'domain',
    pinned: 'start',
    width: 200,
    cell: domain,
    plain: ({ domain }) => domain,
  },
  {
    key: 'redirect_url',
    title: titles.redirect_url,
    sort: 'redirect_url',
    width: 220,
    cell: ({ redirect_url }) => external(redirect_url, shortAddress(redirect_url)),
  },
  {
    key: 'live_status',
    title: titles.live_status,
    sort: 'live_status',
    width: 90,
    cell: ({ live_status }) => status({ status: live_status }),
  },
  {
    key: 'registrar',
    title: titles.registrar,
    sort: 'registrar',
    width: 150,
    cell: ({ registrar }) => clipped(registrar),
  },
  {
    key: 'registrant',
    title: titles.registrant,
    sort: 'registrant',
    width: 140,
    cell: ({ registrant }) => clipped(registrant),
  },
  {
    key: 'registration',
    title: titles.registration,
    sort: 'registration',
    width: 120,
    cell: ({ registration }) => date(registration),
  },
  {
    key: 'expiration',
    title: titles.expiration,
    sort: 'expiration',
    width: 130,
    cell: ({ expiration }) => expiry(expiration),
  },
  {
    key: 'nameserver_1',
    title: titles.nameserver_1,
    sort: 'nameserver_1',
    width: 180,
    cell: ({ nameserver_1 }) => clipped(nameserver_1),
  },
  {
    key: 'nameserver_2',
    title: titles.nameserver_2,
    sort: 'nameserver_2',
    width: 180,
    cell: ({ nameserver_2 }) => clipped(nameserver_2),
  },
]

function domain({ domain: name, problem }: RedirectDomain) {
  return (
    <>
      {external(`http://${name}/`, name)}
      {problem && <span title={problem}>{badge('bad', 'Not removed')}</span>}
    </>
  )
}

const fields = {
  domain: textField('Domain', { placeholder: 'example.com' }),
  redirect_url: textField('Redirect URL', { placeholder: 'https://' }),
}

export default function RedirectDomains() {
  const arrived = useRouteParams({ url: 'q' })
  const list = useList(redirectDomains.list, { enabled: arrived })
  const adding = useDialog()
  return (
    <>
      <ListScreen
        table="redirect-domains"
        title="301 Domains List"
        list={list}
        filters={{ q: search('Search') }}
        columns={columns}
        buttons={
          <>
            <ExportButton call={redirectDomains.csv} input={{ query: askedOf(list) }} />
            <Button onClick={() => adding.open(undefined)}>Add 301 domain</Button>
          </>
        }
        notice={<Steps />}
        remove={redirectDomains.remove}
      />
      <FormDialog
        title="cPanel Addon Domains Tool"
        call={redirectDomains.create}
        start={{ domain: '', redirect_url: '' }}
        fields={fields}
        opened={adding.opened}
        onClose={adding.close}
      />
    </>
  )
}
