import { NumberInput, Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { pageTitles } from '#contract/pages.ts'
import type { StaffMember } from '#domains/access/contract.ts'
import type { ExplainedRow } from '#domains/ui-part.ts'
import { useApi } from '#ui/data/useApi.ts'
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
  const [label, setLabel] = useState('Lead')
  const row = rows.find((one) => one.label === label)
  const [id, setId] = useState<number>()
  const { data, error } = useApi(
    accessExplanationContract.why,
    { query: { user, call: row?.call ?? '', id } },
    { enabled: opened && id !== undefined, quiet: true, keepPrevious: true },
  )
  return (
    <ModalDialog opened={opened} onClose={onClose} title={`What does ${username} see?`} size="lg">
      <div className={classes.question}>
        <Select
          label="What"
          data={rows.map((one) => one.label)}
          value={label}
          onChange={(chosen) => chosen && setLabel(chosen)}
        />
        <NumberInput
          label="Its id"
          hideControls
          allowDecimal={false}
          min={1}
          max={2_147_483_647}
          value={id ?? ''}
          onChange={(value) => setId(typeof value === 'number' && value > 0 ? value : undefined)}
        />
      </div>
      <div aria-live="polite">
        {error && <p className={classes.hint}>{error.message}</p>}
        {id === undefined && (
          <p className={classes.hint}>The id of a lead, campaign, client, site or listing is in the export.</p>
        )}
        {id !== undefined && data && row && <ExplanationList row={row} explanation={data} />}
      </div>
    </ModalDialog>
  )
}

const verdicts: Record<number, string> = {
  401: 'No: the account is switched off',
  403: 'No: not allowed',
  404: 'No: it does not exist for them',
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
