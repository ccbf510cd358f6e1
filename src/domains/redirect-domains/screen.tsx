import { Button } from '@mantine/core'
import { badge, clipped, date, external } from '#web/cells.tsx'
import type { Column } from '#web/DataTable.tsx'
import { askedOf, ExportButton } from '#web/ExportButton.tsx'
import { FormDialog } from '#web/FormDialog.tsx'
import { text as textField } from '#web/fields.tsx'
import { search } from '#web/filters.tsx'
import { ListScreen } from '#web/ListScreen.tsx'
import { expiry, shortAddress, status } from '#web/siteCells.tsx'
import { useDialog } from '#web/useDialog.ts'
import { type SortOf, useList } from '#web/useList.ts'
import { useRouteParams } from '#web/useRouteParams.ts'
import { type RedirectDomain, redirectDomains } from './contract.ts'
import { Steps } from './Steps.tsx'
import { columnTitles as titles } from './words.ts'

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
