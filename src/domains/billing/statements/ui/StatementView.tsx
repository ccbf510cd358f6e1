import type { ReactNode } from 'react'
import { formatLongDay } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import { AgencyHead, getAgencyLook } from '#domains/agency/ui/public.ts'
import arrange from '#ui/layout/arrange.module.css'
import documentTable from '#ui/table/document-table.module.css'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import type { StatementDocument } from '../contract.ts'
import {
  describeGroup,
  findLineColumns,
  getDocumentTitle,
  getTotalLabel,
  listDocumentFacts,
  nameLine,
  nothingBilled,
} from '../document-text.ts'
import classes from './StatementView.module.css'

type StatementViewProps = {
  document: StatementDocument
  /** Links the name of a line to its lead. */
  linkLead: (id: number, name: string) => ReactNode
  /** The buttons above the lines. */
  children?: ReactNode
}

/** A statement as its client reads it, on a screen and on paper. */
export function StatementView({ document, linkLead, children }: StatementViewProps) {
  const { agency, client, groups, total } = document
  return (
    <article className={`${arrange.stackWide} ${documentTable.sheet}`} {...getAgencyLook(agency)}>
      <AgencyHead agency={agency}>
        {agency.address_lines.length > 0 && (
          <address className={`${text.caption} ${classes.address}`}>{agency.address_lines.join('\n')}</address>
        )}
      </AgencyHead>
      <header className={classes.head}>
        <div>
          <h1>{getDocumentTitle(document)}</h1>
          <p className={text.medium}>{client.name}</p>
        </div>
        <p className={`${arrange.column} ${text.numbers} ${classes.total}`}>
          <span className={text.quiet}>{getTotalLabel(document)}</span>
          <b>{formatMoney(total)}</b>
        </p>
      </header>
      <dl className={arrange.spread}>
        {listDocumentFacts(document).map(([label, value]) => (
          <div key={label}>
            <dt className={text.caption}>{label}</dt>
            <dd className={text.breaking}>{value}</dd>
          </div>
        ))}
      </dl>
      {children && (
        <div className={arrange.buttons} data-unprinted>
          {children}
        </div>
      )}
      {groups.length === 0 && <p className={text.quiet}>{nothingBilled}</p>}
      {groups.map((group) => (
        <StatementGroup key={group.kind} group={group} linkLead={linkLead} />
      ))}
    </article>
  )
}

type StatementGroupProps = Pick<StatementViewProps, 'linkLead'> & { group: StatementDocument['groups'][number] }

function StatementGroup({ group, linkLead }: StatementGroupProps) {
  const { hasLeads, hasAmounts } = findLineColumns(group)
  const columns: Parameters<typeof PlainTable<(typeof group.lines)[number]>>[0]['columns'] = [
    { title: 'Day', cell: ({ day }) => day && formatLongDay(day) },
    { title: 'Item', cell: (line) => (line.lead_id ? linkLead(line.lead_id, nameLine(line) ?? '') : '–') },
    {
      title: 'Reason',
      cell: ({ because, refers_to }) => (
        <>
          {because}
          {refers_to && <div className={text.caption}>Corrects {refers_to}</div>}
        </>
      ),
    },
    { title: 'Amount', align: 'end', cell: ({ amount }) => formatMoney(amount) },
  ]
  return (
    <section className={classes.group}>
      <h2>
        <span>{describeGroup(group)}</span>
        {hasAmounts && <span>{formatMoney(group.amount)}</span>}
      </h2>
      <PlainTable
        className={`${documentTable.table} ${classes.lines} ${hasLeads ? classes.dated : ''}`}
        columns={columns.slice(hasLeads ? 0 : 2, hasAmounts ? 4 : 3)}
        rows={group.lines}
        rowKey={(_, index) => index}
      />
    </section>
  )
}
