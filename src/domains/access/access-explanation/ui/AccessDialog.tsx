import { Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { pageTitles } from '#contract/pages.ts'
import { type RecordKind, recordPaths } from '#contract/record-paths.ts'
import type { StaffMember } from '#domains/access/contract.ts'
import type { ExplainedRow } from '#domains/ui-part.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import text from '#ui/theme/text.module.css'
import { type AccessExplanation, accessExplanationContract } from '../contract.ts'
import classes from './AccessDialog.module.css'

type AccessDialogProps = {
  person: StaffMember
  /** The kinds of rows to choose from. */
  rows: readonly ExplainedRow[]
  opened: boolean
  onClose: () => void
}

/** Explains what a person may do with one row, and why. */
export default function AccessDialog({ person: { id: user, username }, rows, opened, onClose }: AccessDialogProps) {
  const [kind, setKind] = useState<RecordKind>('lead')
  const [pasted, setPasted] = useState('')
  const row = rows.find((one) => one.kind === kind)
  const target = readTarget(pasted)
  const id = target?.kind === undefined || target.kind === kind ? target?.id : undefined
  const paste = (value: string) => {
    setPasted(value)
    const linked = readTarget(value)?.kind
    if (rows.some((one) => one.kind === linked)) setKind(linked!)
  }
  const { data, error } = useApi(
    accessExplanationContract.why,
    { query: { user, call: row?.call ?? '', id } },
    { enabled: opened && id !== undefined, quiet: true, keepPrevious: true },
  )
  return (
    <ModalDialog opened={opened} onClose={onClose} title={`Check access for ${username}`} size="lg">
      <div className={arrange.pair}>
        <Select
          label="What"
          data={rows.map((one) => ({ value: one.kind, label: kindLabels[one.kind] }))}
          value={kind}
          onChange={(chosen) => chosen && setKind(chosen)}
        />
        <TextInput
          label="Link or ID"
          placeholder="Paste a link or ID"
          value={pasted}
          onChange={(event) => paste(event.currentTarget.value)}
        />
      </div>
      <div aria-live="polite">
        {error && <p className={classes.hint}>{error.message}</p>}
        {id === undefined && (
          <p className={classes.hint}>
            {pasted.trim() === ''
              ? 'Paste the address of a page, such as a lead’s, or an ID from an export.'
              : 'This is neither the link of a lead, campaign, client, site or listing nor an ID.'}
          </p>
        )}
        {id !== undefined && data && row && <ExplanationList row={row} explanation={data} />}
      </div>
    </ModalDialog>
  )
}

const kindLabels: Record<RecordKind, string> = {
  lead: 'Lead',
  campaign: 'Campaign',
  client: 'Client',
  client_site: 'Client site',
  network_site: 'Network site',
  listing: 'Listing',
}

/** Reads an ID, or the address of a page of one thing or of the list of leads with one open. */
function readTarget(pasted: string): { kind?: RecordKind; id: number } | undefined {
  const text = pasted.trim()
  if (!URL.canParse(text, location.origin)) return undefined
  const { pathname, searchParams } = new URL(text, location.origin)
  const opened = pathname.startsWith('/leads') ? searchParams.get('lead') : null
  const path = opened === null ? pathname : recordPaths.lead.replace('$id', opened)
  for (const kind of Object.keys(recordPaths) as RecordKind[]) {
    const id = parseId(path, recordPaths[kind])
    if (id !== undefined) return { kind, id }
  }
  const id = parseId(text, '$id')
  return id === undefined ? undefined : { id }
}

function parseId(text: string, pattern: string): number | undefined {
  const [, id] = new RegExp(`^${pattern.replace('$id', '([1-9]\\d{0,8})')}/?$`).exec(text) ?? []
  return id === undefined ? undefined : Number(id)
}

const verdicts: Record<number, string> = {
  401: 'No: the account is switched off',
  403: 'No: not allowed',
  404: 'No: hidden from them',
}

function ExplanationList({ row, explanation }: { row: ExplainedRow; explanation: AccessExplanation }) {
  const { allowed, status, rule, flag, campaign, fields } = explanation
  const may = row.call.startsWith('GET') ? 'Yes' : 'Yes, and they may change it'
  return (
    <dl className={`${classes.answer} ${text.breaking}`}>
      <Line term="Do they see it?">
        <b>{allowed ? may : (verdicts[status] ?? 'No')}</b>
      </Line>
      <Line term="Rule">{rule}</Line>
      {flag && (
        <Line term="Page">
          {flag.needed.map((page) => pageTitles[page]).join(' or ')}: {flag.held ? 'ticked' : 'not ticked'}
        </Line>
      )}
      {campaign && (
        <Line term="Campaign">
          {campaign.name}: {campaign.ticked ? 'ticked' : 'not ticked'}
        </Line>
      )}
      {fields &&
        (['write', 'read', 'none'] as const).map((right) => (
          <Line key={right} term={fieldTerms[right]}>
            <FieldNames names={Object.keys(fields).filter((name) => fields[name] === right)} row={row} />
          </Line>
        ))}
    </dl>
  )
}

const fieldTerms = { write: 'Fields they change', read: 'Fields they read', none: 'Fields they do not get' }

const FieldNames = ({ row: { FieldLabels }, names }: { row: ExplainedRow; names: readonly string[] }) =>
  names.length === 0 ? 'None' : FieldLabels ? <FieldLabels names={names} /> : names.join(', ')

const Line = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)
