import { join } from 'node:path'
import { Document, Font, Image, Page, renderToBuffer, StyleSheet, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import { projectRoot } from '#core/settings/settings.ts'
import { disputeStateTitles } from '#domains/billing/disputes/labels.ts'
import { progressLabels } from '#domains/leads/labels.ts'
import type { ReportNumbers } from '../contract.ts'
import { formatAmount, formatDisputedLead, formatReportDay, formatReportSpan, reportPeriodLabels } from '../labels.ts'

const fontFolder = join(projectRoot, 'src/domains/reports/client-reports/fonts')
Font.register({
  family: 'Inter',
  fonts: [
    { src: join(fontFolder, 'Inter-Regular.ttf'), fontWeight: 400 },
    { src: join(fontFolder, 'Inter-SemiBold.ttf'), fontWeight: 600 },
  ],
})
// A name or a number that is broken with a hyphen is another one.
Font.registerHyphenationCallback((word) => [word])

export type ReportPdfProps = ReportNumbers & { agency: { name: string; color: string }; logo: Uint8Array | null }

/** Draws a report as a PDF file: pages of selectable text, its title and language in the file. The library does not tag. */
export const drawReportPdf = (report: ReportPdfProps): Promise<Buffer> => renderToBuffer(<ReportPdf {...report} />)

const ink = { text: '#1a2230', secondary: '#556072', line: '#d5dae2', soft: '#f1f3f6' }
const styles = StyleSheet.create({
  page: { fontFamily: 'Inter', fontSize: 9, lineHeight: 1.4, color: ink.text, padding: 40, paddingBottom: 52 },
  head: { flexDirection: 'row', justifyContent: 'space-between', borderBottomWidth: 2, paddingBottom: 12 },
  logo: { maxHeight: 36, maxWidth: 160, objectFit: 'contain' },
  agency: { fontSize: 12, fontWeight: 600 },
  title: { fontSize: 18, fontWeight: 600, lineHeight: 1.25, marginTop: 14 },
  about: { color: ink.secondary, marginBottom: 12 },
  figures: { flexDirection: 'row', marginBottom: 4 },
  figure: { flexGrow: 1, flexBasis: 0, backgroundColor: ink.soft, padding: 8, marginRight: 6 },
  number: { fontSize: 16, fontWeight: 600, lineHeight: 1.3 },
  label: { color: ink.secondary },
  heading: { fontSize: 12, fontWeight: 600, marginTop: 14, marginBottom: 4 },
  row: { flexDirection: 'row', borderBottomWidth: 0.5, borderBottomColor: ink.line, paddingVertical: 3 },
  columnHead: { color: ink.secondary, fontWeight: 600 },
  footerTitle: { position: 'absolute', top: 756, left: 40, right: 120, color: ink.secondary },
  footerPage: { position: 'absolute', top: 756, right: 40, width: 80, textAlign: 'right', color: ink.secondary },
})

function ReportPdf(report: ReportPdfProps) {
  const { agency } = report
  const title = `${report.client.name}: ${formatReportSpan(report)}`
  const [shortTables, longTables] = [listShortTables(report), listLongTables(report)]
  return (
    <Document title={title} author={agency.name} subject="Lead report" language="en-US" creator="Leadline">
      <PdfPage title={title}>
        <ReportHead {...report} />
        {shortTables.map((table) => (
          <PdfTable key={table.title} {...table} />
        ))}
      </PdfPage>
      {/* The library lays out the rest of a page again for each page that it breaks, so long tables are broken here. */}
      {longTables.flatMap((table) =>
        splitRows(table).map((part) => (
          <PdfPage key={part.title} title={title}>
            <PdfTable {...part} />
          </PdfPage>
        )),
      )}
    </Document>
  )
}

function PdfPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page size="LETTER" style={styles.page}>
      {children}
      <Text style={styles.footerTitle} fixed>
        {title}
      </Text>
      <Text style={styles.footerPage} render={({ pageNumber, totalPages }) => `${pageNumber} / ${totalPages}`} fixed />
    </Page>
  )
}

function ReportHead(report: ReportPdfProps) {
  const { agency, client, logo } = report
  return (
    <View>
      <View style={[styles.head, { borderBottomColor: agency.color }]}>
        <Text style={[styles.agency, { color: agency.color }]}>{agency.name}</Text>
        {logo && <Image src={{ data: Buffer.from(logo), format: 'png' }} style={styles.logo} />}
      </View>
      <Text style={styles.title}>{client.name}</Text>
      <Text style={styles.about}>
        {reportPeriodLabels[report.period]}: {formatReportSpan(report)}. Times are {client.timezone_name}.
      </Text>
      <View style={styles.figures}>
        <Figure label="Verified leads" value={String(report.verified)} />
        <Figure label="Target" value={report.target > 0 ? String(report.target) : '—'} />
        <Figure label="Missed calls" value={String(report.missed)} />
        <Figure label="Won" value={String(report.won)} />
        <Figure label="Won value" value={formatAmount(report.won_value)} />
      </View>
      {report.verified === 0 && <Text>There were no verified leads in this period.</Text>}
      {report.verified > report.leads.length && (
        <Text>The list holds the first {report.leads.length} of the verified leads.</Text>
      )}
    </View>
  )
}

const listShortTables = (report: ReportNumbers): PdfTableProps[] => [
  {
    title: 'Campaigns',
    columns: [
      ['Campaign', 5],
      ['Days', 4],
      ['Verified', 2],
      ['Target', 2],
      ['Missed', 2],
    ],
    rows: report.campaigns.map((one) => [
      one.name,
      formatReportSpan(one),
      String(one.verified),
      one.target > 0 ? String(one.target) : '—',
      String(one.missed),
    ]),
  },
  {
    title: 'By week',
    columns: [
      ['Week', 6],
      ['Verified', 2],
      ['Missed', 2],
    ],
    rows: report.weeks.map((week) => [formatReportSpan(week), String(week.verified), String(week.missed)]),
  },
  {
    title: 'By source',
    columns: [
      ['Source', 6],
      ['Verified', 4],
    ],
    rows: report.sources.map(({ source, verified }) => [source, String(verified)]),
  },
]

const listLongTables = (report: ReportNumbers): PdfTableProps[] => [
  {
    title: 'Missed calls in working hours',
    columns: [
      ['When', 6],
      ['Name', 4],
      ['Phone', 3],
      ['Campaign', 4],
    ],
    rows: report.missed_calls.map((call) => [call.when, call.name ?? '', call.phone ?? '', call.campaign]),
  },
  {
    title: 'Leads',
    columns: [
      ['When', 6],
      ['Name', 4],
      ['Phone or email', 4],
      ['Source', 3],
      ['Progress', 2],
      ['Value', 2],
    ],
    rows: report.leads.map((lead) => [
      lead.when,
      lead.name ?? '',
      lead.phone ?? lead.email ?? '',
      lead.source ?? lead.type,
      lead.progress === null ? '' : progressLabels[lead.progress as keyof typeof progressLabels],
      lead.value === null ? '' : formatAmount(lead.value),
    ]),
  },
  {
    title: 'Disputed leads',
    columns: [
      ['Lead', 6],
      ['Campaign', 4],
      ['Decided', 3],
      ['Decision', 2],
      ['Answer', 7],
    ],
    rows: report.disputes.map((dispute) => [
      formatDisputedLead(dispute),
      dispute.campaign,
      formatReportDay(dispute.decided_on),
      disputeStateTitles[dispute.state],
      dispute.answer,
    ]),
  },
  {
    title: 'What was done',
    columns: [
      ['Day', 3],
      ['Campaign', 4],
      ['Note', 9],
    ],
    rows: report.done.map(({ date, campaign, note }) => [formatReportDay(date), campaign, note]),
  },
]

const rowsPerPage = 34

const splitRows = ({ title, columns, rows }: PdfTableProps): PdfTableProps[] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerPage) }, (_, page) => ({
    title: page === 0 ? title : `${title} (${page + 1})`,
    columns,
    rows: rows.slice(page * rowsPerPage, (page + 1) * rowsPerPage),
  }))

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <View style={styles.figure}>
      <Text style={styles.number}>{value}</Text>
      <Text style={styles.label}>{label}</Text>
    </View>
  )
}

type PdfTableProps = { title: string; columns: [head: string, share: number][]; rows: string[][] }

/** A table without rows is not there. */
function PdfTable({ title, columns, rows }: PdfTableProps) {
  if (rows.length === 0) return null
  const shares = columns.map(([, share]) => ({ flexGrow: share, flexBasis: 0, paddingRight: 6 }))
  return (
    <View>
      <Text style={styles.heading}>{title}</Text>
      <View style={styles.row}>
        {columns.map(([head], index) => (
          <Text key={head} style={[styles.columnHead, shares[index]!]}>
            {head}
          </Text>
        ))}
      </View>
      {rows.map((row, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a file is drawn once
        <View key={line} style={styles.row} wrap={false}>
          {row.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells stand in the order of their columns
            <Text key={index} style={shares[index]!}>
              {text}
            </Text>
          ))}
        </View>
      ))}
    </View>
  )
}
